"""How hard checks try."""

from __future__ import annotations

from dataclasses import dataclass

QUICK = 8


@dataclass(frozen=True)
class Effort:
    """How hard checks try: Hypothesis examples, the seed they start from, seconds until a call is taken to hang.

    With `quick` they look at an eighth of the crash points, damages and histories, and a run has one of each rule.
    """

    examples: int = 50
    seed: int = 0
    patience: int = 60
    quick: bool = False

    def at_most(self, many: int) -> int:
        """How many of at most `many` trials are made."""
        return max(2, many // QUICK) if self.quick else many

"""How hard checks try."""

from __future__ import annotations

from dataclasses import dataclass

QUICK = 12


@dataclass(frozen=True)
class Effort:
    """How hard checks try: Hypothesis examples, the seed they start from, seconds until a call is taken to hang.

    With `quick` they look at a twelfth of the crash points, damages and histories, and a run has one of each rule.
    """

    examples: int = 50
    seed: int = 0
    patience: int = 60
    quick: bool = False

    def at_most(self, many: int, least: int = 2) -> int:
        """How many of at most `many` trials are made: `least` of them if there are so many."""
        return min(many, max(least, many // QUICK)) if self.quick else many

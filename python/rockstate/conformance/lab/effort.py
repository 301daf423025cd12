"""How hard checks try."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """How hard checks try: Hypothesis examples, the seed they start from, seconds until a call is taken to hang."""

    examples: int = 50
    seed: int = 0
    patience: int = 60

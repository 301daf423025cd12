"""What a lab was told, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from rockstate.conformance.calls.call import Call
from rockstate.conformance.calls.outcomes import Outcome


@dataclass(frozen=True)
class Recorded:
    """A call with its outcome."""

    call: Call
    outcome: Outcome


class Recorder:
    """Keeps the calls of one lab in order."""

    def __init__(self) -> None:
        self.calls: list[Recorded] = []

    def add(self, call: Call, outcome: Outcome) -> None:
        self.calls.append(Recorded(call, outcome))

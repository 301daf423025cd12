"""What is common to the labs of one check."""

from __future__ import annotations

from typing import Generic, TypeVar

Lab = TypeVar("Lab")


class Trial(Generic[Lab]):
    """What a lab shares with the labs made of it by `fresh`."""

    def __init__(self, first: Lab) -> None:
        self.newest = first
        self.hung: Lab | None = None
        self._first = first
        self._open = [first]

    def add(self, lab: Lab) -> None:
        """Another lab is the newest."""
        self.newest = lab
        self._open.append(lab)

    def ended(self, lab: Lab) -> list[Lab]:
        """The labs that end with `lab`, of those that have not ended: all with the first, or it alone."""
        ending = list(self._open) if lab is self._first else [each for each in self._open if each is lab]
        self._open = [each for each in self._open if each not in ending]
        return ending

"""The requests of a store's maintenance, cut where the snapshot ends; means of several batches or stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.scale.requests import Request, tally

_WRITTEN = frozenset(("PUT", "COPY", "MULTIPART"))
_WRITING = frozenset(("op_create", "op_create_file", "op_createfile", "op_rename", "op_mkdirs"))

_DELETING = "op_delete"


@dataclass(frozen=True)
class Maintenance:
    """What a store's maintenance asked for: first its snapshot, then its clean-up."""

    snapshot: list[Request]
    clean_up: list[Request]

    @property
    def all(self) -> list[Request]:
        return self.snapshot + self.clean_up

    @property
    def deleting(self) -> list[Request]:
        """The part of a clean-up that grows with the files it deletes."""
        return [each for each in self.clean_up if each.operation == _DELETING]

    @property
    def looking(self) -> list[Request]:
        """The part that finds out what to delete, and what deletes all at once."""
        return [each for each in self.clean_up if each.operation != _DELETING]

    @property
    def deleted(self) -> int:
        """Files that the clean-up deleted."""
        at_once = sum(each.keys for each in self.clean_up if each.kind == "BULK_DELETE")
        return at_once + len({each.key for each in self.clean_up if each.kind == "DELETE"})


def parts(requests: Sequence[Request]) -> Maintenance:
    """A snapshot ends with the last call that writes."""
    writing = [n for n, each in enumerate(requests) if each.kind in _WRITTEN or each.operation in _WRITING]
    end = writing[-1] + 1 if writing else 0
    return Maintenance(list(requests[:end]), list(requests[end:]))


def mean(portions: Sequence[Sequence[Request]], number: int | None = None) -> dict[str, dict[str, float]]:
    """Requests by area and kind, of one portion, or of one of so many as the portions stand for."""
    total = tally(request for portion in portions for request in portion)
    of = number or max(len(portions), 1)
    return {
        area: {kind: round(count / of, 3) for kind, count in sorted(counts.items())} for area, counts in total.items()
    }

"""One call on the API: what goes to the driver, and how it reads in a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


def as_it_is(value: Any) -> Any:
    """The value."""
    return value


@dataclass(frozen=True)
class Call:
    """`result = target.method(*args, **kwargs)`, which sends `request` and makes of its answer what `parse` gives.

    `target` and `result` are names of variables in the recorded program; `result` is None where nothing is to be kept.
    """

    target: str
    method: str
    request: dict[str, Any]
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    result: str | None = None
    parse: Callable[[Any], Any] = as_it_is

    @property
    def is_inspection(self) -> bool:
        """Whether it only looks at the storage, so that a program does without it."""
        return self.target == "lab" and self.method in ("files", "files_as_written", "read", "calls")

    @property
    def answers(self) -> bool:
        """Whether there is something to expect of the call's answer."""
        return self.method not in _SILENT


_WRITES = ("put", "remove", "merge", "put_list", "merge_list", "delete_range", "create_family", "abort", "release")
_HELD = ("hold", "remove_held", "put_held", "put_value", "merge_value")
_STARTS = ("open", "open_on", "begin", "begin_read", "replay", "replay_read", "upgrade", "maintain", "close", "restart")
_AROUND = ("start_closing", "interrupt", "begin_task", "fail_task", "end_task", "track_commit", "validate_commit")
_DAMAGES = ("write", "create", "delete", "truncate", "flip", "save", "restore", "fault")
_SILENT = frozenset((*_WRITES, *_HELD, *_STARTS, *_AROUND, *_DAMAGES))

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
        return self.target == "lab" and self.method in ("files", "read", "calls")

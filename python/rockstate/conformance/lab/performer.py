"""What executors and stores need of the lab that they are in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from rockstate.conformance.calls.call import Call


class Performer(Protocol):
    """Performs calls, and records them."""

    def do(self, call: Call) -> Any:
        """Performs one call and returns its answer; raises what the provider threw."""

    def has(self, op: str) -> bool:
        """Whether the running Spark has that call; without it a task does something else."""

    def new_name(self, stem: str) -> str:
        """A name for a variable of the recorded program."""

    def close_executor(self, call: Call, reopen: Mapping[str, Any] | None = None) -> None:
        """Closes the executor that `call` is made on, and with `reopen` opens another in its place."""


class Named(Protocol):
    """An executor, as far as calls on a store need it: by its name."""

    @property
    def name(self) -> str:
        """The variable of the recorded program."""

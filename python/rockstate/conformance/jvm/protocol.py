"""What the suite asks of a driver, which a JVM is behind, or a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Driver(Protocol):
    """Performs the commands of the driver protocol."""

    @property
    def spark(self) -> str:
        """The minor of the Spark that it performs them on, such as `4.2`."""

    def run(self, commands: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """One answer per command: `{"ok": value}` or `{"error": {"class": …, "message": …}}`."""

    def another(self) -> RestartableDriver:
        """One like this in a process of its own, which who asks for it closes."""


class RestartableDriver(Driver, Protocol):
    """A driver whose JVM can be replaced."""

    def restart(self) -> None:
        """Ends the JVM; the next command starts another."""

    def close(self) -> None:
        """Ends the JVM."""

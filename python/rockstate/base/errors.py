"""What can go wrong, as a handful of kinds; every message says problem and remedy."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any


class RockstateError(Exception):
    """Base of all errors raised by this package; `problem` and `remedy` are also there as fields."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}.")
        self.problem = problem
        self.remedy = remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Comes whole out of a pool's process, whatever its class takes to be made."""
        return _restored, (type(self), self.args, self.__dict__)


class Unsupported(RockstateError):
    """Something this release does not work with."""


class NotFound(RockstateError):
    """A file that must be there is not."""


class Unreachable(RockstateError):
    """A file system that does not answer as it should."""


class OutOfMemory(RockstateError):
    """Spark's JVM, or one of its executors, has too little memory for the work."""


class Damaged(RockstateError):
    """A file whose bytes are not what was written."""


class Misuse(RockstateError):
    """The caller used the package against its contract."""


class WrongUsage(Misuse):
    """Arguments that cannot be, whatever they are about."""


class UnsupportedSparkVersion(Unsupported):
    """A Spark that this release has no jar for.

    Attributes:
        found: its version, None if there is no PySpark.
        supported: the minors that there are jars for.
    """

    def __init__(self, found: str | None, supported: Iterable[str], remedy: str, reason: str = "") -> None:
        self.found = found
        self.supported = tuple(supported)
        because = f": {reason}" if reason else ""
        super().__init__(f"Spark {found} is not supported{because}" if found else "PySpark is not installed", remedy)


class SparkConnectUnsupported(Unsupported):
    """The session is a Spark Connect client, which cannot bring a state store to its server."""

    def __init__(self, sign: str) -> None:
        super().__init__(
            f"This is a Spark Connect session ({sign}), and a client cannot add a state store to its server",
            "Start the server with the arguments that `rockstate conf` prints, or use a classic session",
        )


class JarNotFound(NotFound):
    """The jar for a Spark minor is not in the package."""

    def __init__(self, path: Path, minor: str) -> None:
        self.path = path
        super().__init__(
            f"Rockstate's jar for Spark {minor} is missing: {path}",
            "Install the package again, from its wheel or a clone (pip install --force-reinstall), or run"
            f" `make jar SPARK={minor}` in a source tree",
        )


class InvalidOption(WrongUsage):
    """An option that does not exist, or a value it does not take; `option` is its name."""

    def __init__(self, option: str, problem: str, remedy: str) -> None:
        self.option = option
        super().__init__(problem, remedy)


class JarNotLoaded(Misuse):
    """Spark's JVM runs already and does not have Rockstate's jar."""


class JarConflict(Misuse):
    """Spark is told to load Rockstate's jar of another version as well."""


def _restored(kind: type[RockstateError], args: tuple[Any, ...], fields: dict[str, Any]) -> RockstateError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error

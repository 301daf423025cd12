"""What can go wrong, as a handful of kinds; every message says problem and remedy."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class RockstateError(Exception):
    """Base of all errors raised by this package; `problem` and `remedy` are also there as fields."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}. {remedy}.")
        self.problem = problem
        self.remedy = remedy


class Unsupported(RockstateError):
    """Something this release does not work with."""


class NotFound(RockstateError):
    """A file that must be there is not."""


class Unreachable(RockstateError):
    """A file system that does not answer as it should."""


class Misuse(RockstateError):
    """The caller used the package against its contract."""


class UnsupportedSparkVersion(Unsupported):
    """The installed PySpark is not one that this release has a jar for; `found` is None if there is no PySpark."""

    def __init__(self, found: str | None, supported: Iterable[str]) -> None:
        self.found = found
        self.supported = tuple(supported)
        minors = ", ".join(f"{minor}.x" for minor in self.supported)
        problem = f"PySpark {found} is not supported" if found else "PySpark is not installed"
        super().__init__(problem, f"Install a supported release: {minors}")


class SparkConnectUnsupported(Unsupported):
    """The session is a Spark Connect client, which cannot bring a state store to its server."""

    def __init__(self, sign: str) -> None:
        super().__init__(
            f"This is a Spark Connect session ({sign}), and a client cannot add a state store to its server",
            "Start the server with the arguments that `rockstate conf` prints, or use a classic session",
        )


class JarNotFound(NotFound):
    """The jar for the installed Spark is not in the package."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"Rockstate's jar is missing: {path}",
            "Install the package again (pip install --force-reinstall rockstate), or run `make jar` in a source tree",
        )


class InvalidOption(Misuse):
    """An option that does not exist, or a value it does not take; `option` is its name."""

    def __init__(self, option: str, problem: str, remedy: str) -> None:
        self.option = option
        super().__init__(problem, remedy)


class JarNotLoaded(Misuse):
    """Spark's JVM runs already and does not have Rockstate's jar."""


class JarConflict(Misuse):
    """Spark is told to load Rockstate's jar of another version as well."""

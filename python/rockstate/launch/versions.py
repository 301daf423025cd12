"""Which Spark minors this release has a jar for, what is particular to each, and which one would run."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from rockstate.base.errors import UnsupportedSparkVersion
from rockstate.launch.spark_home import named_home, release_of


@dataclass(frozen=True)
class SparkMinor:
    """A Spark minor that there is a jar for.

    Attributes:
        first_release: the oldest of its releases that works; `first_release_reason` says why no older one does.
        minimum_python: the oldest Python that both its PySpark and this package run with.
        newest_python: the newest that its PySpark is made for.
        checkpoint_format: what new queries get unless told otherwise; `checkpoint_format_reason` says why if not 2.
    """

    minor: str
    first_release: str
    minimum_python: tuple[int, int]
    newest_python: tuple[int, int] = (3, 14)
    checkpoint_format: int = 2
    checkpoint_format_reason: str = ""
    first_release_reason: str = ""

    def runs_with(self, python: tuple[int, int]) -> bool:
        """Whether its PySpark is made for a Python such as (3, 12)."""
        return self.minimum_python <= python <= self.newest_python

    @property
    def releases(self) -> str:
        """The releases that work, in words: `4.1.x`, or `4.0.x from 4.0.1 on`."""
        return f"{self.minor}.x" + (f" from {self.first_release} on" if self.first_release_reason else "")


#: The same minors as in project/SparkVersions.scala, the oldest first.
SPARK_MINORS: Final = {
    each.minor: each
    for each in (
        SparkMinor(
            "4.0",
            "4.0.1",
            (3, 10),
            newest_python=(3, 13),
            checkpoint_format=1,
            checkpoint_format_reason="Spark 4.0's state data source cannot read state in format 2: it passes no ids",
            first_release_reason="it lacks StateStoreIterator, which a state store has to return",
        ),
        SparkMinor("4.1", "4.1.0", (3, 10)),
        SparkMinor("4.2", "4.2.0", (3, 10)),
        SparkMinor("4.3", "4.3.0", (3, 11)),
    )
}

SUPPORTED_MINORS: Final = tuple(SPARK_MINORS)

SCALA = "2.13"

#: The folder of the package `rockstate`.
PACKAGE = Path(__file__).parents[1]

ROCKSTATE_VERSION = (files("rockstate") / "VERSION").read_text(encoding="ascii").strip()


def jar_name(minor: str) -> str:
    """The file name of this release's jar for a Spark minor such as `4.2`."""
    return f"rockstate-spark-{minor}_{SCALA}-{ROCKSTATE_VERSION}.jar"


def conformance_jar_name(minor: str) -> str:
    """The file name of the jar with the conformance suite's driver."""
    return f"rockstate-conformance-{minor}_{SCALA}-{ROCKSTATE_VERSION}.jar"


def built_jar(root: Path, minor: str) -> Path:
    """Where sbt leaves the jar in the source tree `root`."""
    return _target(root, "spark", minor) / jar_name(minor)


def built_conformance_jar(root: Path, minor: str) -> Path:
    """Where sbt leaves the conformance driver's jar in the source tree `root`."""
    return _target(root, "conformance", minor) / conformance_jar_name(minor)


def _target(root: Path, module: str, minor: str) -> Path:
    return root / "jvm" / module / "target" / f"spark-{minor}" / f"scala-{SCALA}"


def is_since(minor: str, since: str) -> bool:
    """Whether what came with the minor `since` is there in `minor`."""
    return SUPPORTED_MINORS.index(minor) >= SUPPORTED_MINORS.index(since)


def spark_version() -> str:
    """The version of the PySpark that `import pyspark` would load, such as `4.2.1`; does not import it.

    Raises:
        UnsupportedSparkVersion: there is no PySpark.
    """
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise _unsupported(None)
    # Through the loader: under spark-submit the package is in a zip.
    loader: Any = spec.loader
    text = loader.get_data(str(Path(spec.origin).with_name("version.py"))).decode()
    found = re.search(r"^__version__[^=\n]*=\s*[\"']([^\"']+)", text, re.MULTILINE)
    return found[1] if found else "of unknown version"


def launched_version() -> str:
    """The version of the Spark that PySpark and `rockstate submit` start here.

    It is that of SPARK_HOME, if that names a Spark, or else PySpark's. A process that spark-submit started has its
    Spark's own PySpark, whatever SPARK_HOME says there.

    Raises:
        UnsupportedSparkVersion: there is no PySpark, and no Spark that SPARK_HOME names.
    """
    home = None if "PYSPARK_GATEWAY_PORT" in os.environ else named_home(os.environ)
    return (release_of(home) if home else None) or spark_version()


def spark_minor(version: str | None = None) -> str:
    """The minor, such as `4.2`, of `version` (a release or a minor), or else of the Spark that would run here.

    Raises:
        UnsupportedSparkVersion: this release has no jar for it.
    """
    version = version or launched_version()
    parts = re.fullmatch(r"(\d+\.\d+)(?:\.(\d+)(?:\D.*)?)?", version)
    row = SPARK_MINORS.get(parts[1]) if parts else None
    if parts is None or row is None:
        raise _unsupported(version)
    if parts[2] is not None and int(parts[2]) < int(row.first_release.rpartition(".")[2]):
        raise _unsupported(version, row)
    return row.minor


def _unsupported(version: str | None, too_old_for: SparkMinor | None = None) -> UnsupportedSparkVersion:
    there_are = ", ".join(row.releases for row in SPARK_MINORS.values())
    if too_old_for is None:
        return UnsupportedSparkVersion(version, SUPPORTED_MINORS, f"Use a supported release: {there_are}")
    remedy = f"Install {too_old_for.first_release} or later; supported are {there_are}"
    return UnsupportedSparkVersion(version, SUPPORTED_MINORS, remedy, too_old_for.first_release_reason)

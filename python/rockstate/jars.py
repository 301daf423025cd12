"""Finds Rockstate's jar."""

from __future__ import annotations

from pathlib import Path

from rockstate.errors import JarNotFound
from rockstate.versions import built_jar, jar_name, spark_minor

PACKAGE = Path(__file__).parent
SOURCE_TREE = PACKAGE.parents[1]


def jar_path() -> Path:
    """The absolute path of the jar for the installed Spark: the package's own, or in a source tree sbt's latest.

    Raises:
        UnsupportedSparkVersion: PySpark is missing or of a minor without a jar.
        JarNotFound: the jar is not where it should be.
    """
    minor = spark_minor()
    packaged = PACKAGE / "jars" / jar_name(minor)
    for candidate in (packaged, built_jar(SOURCE_TREE, minor)):
        if candidate.is_file():
            return candidate.resolve()
    raise JarNotFound(packaged)

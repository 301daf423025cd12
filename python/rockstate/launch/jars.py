"""Finds Rockstate's jars."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import mkdtemp

from rockstate.base.errors import JarNotFound
from rockstate.launch.versions import (
    PACKAGE,
    built_conformance_jar,
    built_jar,
    conformance_jar_name,
    jar_name,
    spark_minor,
)

SOURCE_TREE = PACKAGE.parents[1]


def jar_path(spark: str | None = None) -> Path:
    """The absolute path of the jar for one Spark: the package's own, or in a source tree sbt's latest.

    Args:
        spark: a minor or a release, `4.1` or `4.1.3`; None for the Spark that would be started here, which is that of
            SPARK_HOME or else the installed PySpark.

    Raises:
        UnsupportedSparkVersion: there is no jar for that Spark, or PySpark is missing.
        JarNotFound: the jar is not where it should be.
    """
    minor = spark_minor(spark)
    return _found(PACKAGE / "jars" / jar_name(minor), built_jar(SOURCE_TREE, minor), minor)


def conformance_jar_path() -> Path:
    """The absolute path of the jar that the conformance suite adds to `jar_path()`; no query needs it.

    Raises:
        UnsupportedSparkVersion: there is no jar for the Spark that would be started here, or PySpark is missing.
        JarNotFound: the jar is not where it should be.
    """
    minor = spark_minor()
    return _found(PACKAGE / "jars" / conformance_jar_name(minor), built_conformance_jar(SOURCE_TREE, minor), minor)


def _found(packaged: Path, built: Path, minor: str) -> Path:
    for candidate in (packaged, built):
        if candidate.is_file():
            return candidate.resolve()
    unpacked = None if PACKAGE.is_dir() else _unpacked(packaged.name)
    if unpacked is None:
        raise JarNotFound(packaged, minor)
    return unpacked


@cache
def _unpacked(name: str) -> Path | None:
    """The jar out of the wheel that this package runs in, as with `spark-submit --py-files`; kept while Python runs."""
    packed = files("rockstate") / "jars" / name
    if not packed.is_file():
        return None
    folder = Path(mkdtemp(prefix="rockstate-jar-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with as_file(packed) as jar:
        return Path(shutil.copy(jar, folder / name))

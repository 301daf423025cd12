"""Which Spark minors this release has a jar for, and which one is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rockstate.base.errors import UnsupportedSparkVersion

#: The same minors as in project/SparkVersions.scala.
SUPPORTED_MINORS = ("4.2",)

SCALA = "2.13"

#: The folder of the package `rockstate`.
PACKAGE = Path(__file__).parents[1]

ROCKSTATE_VERSION = (PACKAGE / "VERSION").read_text(encoding="ascii").strip()


def jar_name(minor: str) -> str:
    """The file name of this release's jar for a Spark minor such as `4.2`."""
    return f"rockstate-spark-{minor}_{SCALA}-{ROCKSTATE_VERSION}.jar"


def conformance_jar_name(minor: str) -> str:
    """The file name of the jar with the conformance suite's driver."""
    return f"rockstate-conformance-{minor}_{SCALA}-{ROCKSTATE_VERSION}.jar"


def built_jar(root: Path, minor: str) -> Path:
    """Where sbt leaves the jar in the source tree `root`."""
    return _target(root, "spark") / jar_name(minor)


def built_conformance_jar(root: Path, minor: str) -> Path:
    """Where sbt leaves the conformance driver's jar in the source tree `root`."""
    return _target(root, "conformance") / conformance_jar_name(minor)


def _target(root: Path, module: str) -> Path:
    return root / "jvm" / module / "target" / f"scala-{SCALA}"


def spark_version() -> str:
    """The version of the PySpark that `import pyspark` would load, such as `4.2.1`; does not import it.

    Raises:
        UnsupportedSparkVersion: there is no PySpark.
    """
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise UnsupportedSparkVersion(None, SUPPORTED_MINORS)
    # Through the loader: under spark-submit the package is in a zip.
    loader: Any = spec.loader
    text = loader.get_data(str(Path(spec.origin).with_name("version.py"))).decode()
    found = re.search(r"^__version__[^=\n]*=\s*[\"']([^\"']+)", text, re.MULTILINE)
    return found[1] if found else "of unknown version"


def spark_minor(version: str | None = None) -> str:
    """The minor, such as `4.2`, of `version` or else of the installed PySpark.

    Raises:
        UnsupportedSparkVersion: this release has no jar for it.
    """
    version = version or spark_version()
    minor = ".".join(version.split(".")[:2])
    if minor not in SUPPORTED_MINORS:
        raise UnsupportedSparkVersion(version, SUPPORTED_MINORS)
    return minor

"""The Spark that SPARK_HOME names, and which release it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from pathlib import Path

_CORE_JAR = re.compile(r"spark-core_2\.13-(.+)\.jar")


def named_home(environ: Mapping[str, str]) -> Path | None:
    """What SPARK_HOME names; None if it names nothing."""
    return Path(environ["SPARK_HOME"]) if environ.get("SPARK_HOME") else None


def forget_empty(environ: MutableMapping[str, str]) -> None:
    """Takes an empty SPARK_HOME out: PySpark would look for Spark in the root folder."""
    if environ.get("SPARK_HOME") == "":
        del environ["SPARK_HOME"]


def release_of(home: Path) -> str | None:
    """The release in a Spark's folder, such as `4.1.3`; None if neither its jars say it nor its RELEASE file."""
    jars = home / "jars"
    found = [_CORE_JAR.fullmatch(file.name) for file in jars.glob("spark-core_*.jar")] if jars.is_dir() else []
    versions = [match[1] for match in found if match]
    if len(versions) == 1:
        return versions[0]
    file = home / "RELEASE"
    told = re.match(r"Spark (\d\S*)", file.read_text(encoding="utf-8", errors="replace")) if file.is_file() else None
    return told[1] if told else None

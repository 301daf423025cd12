"""Comma-separated lists of jars, as `spark.jars` and `--jars` hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from rockstate.base.errors import JarConflict

_ROCKSTATE_JAR = re.compile(r"rockstate-spark-[^/]*\.jar")


def merge(lists: Iterable[str | None], jar: Path) -> str:
    """One list of all jars in `lists`, each once and in order, with Rockstate's `jar` at the end unless it is there.

    A copy of `jar` elsewhere (on HDFS, say) counts as being there.

    Raises:
        JarConflict: a list names Rockstate's jar of another version.
    """
    jars: dict[str, str] = {}
    for entry in (entry for jars_of_one in lists for entry in entries(jars_of_one)):
        jars.setdefault(_identity(entry), entry)
    ours = [entry for entry in jars.values() if _ROCKSTATE_JAR.fullmatch(file_name(entry))]
    for entry in ours:
        if file_name(entry) != jar.name:
            raise JarConflict(
                f"Spark is told to load {entry}, and this package brings {jar.name}",
                "Take the other jar out of spark.jars (--jars, spark-defaults.conf)",
            )
    return ",".join([*jars.values(), *([] if ours else [str(jar)])])


def entries(jars: str | None) -> list[str]:
    """The jars of a list, without blanks."""
    return [entry.strip() for entry in (jars or "").split(",") if entry.strip()]


def file_name(entry: str) -> str:
    """The last part of a jar's path or URI."""
    return entry.rsplit("/", 1)[-1]


def _identity(entry: str) -> str:
    return re.sub(r"^file:/*", "/", entry)

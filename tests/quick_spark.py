"""What lets a Spark of the tests start, write and end quicker than a user's, and do the same."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

#: Classes of PySpark's jars as the JVM maps them into memory; `make` has it written by tests/class_data.py.
CLASSES = Path(sys.prefix) / "spark-classes.jsa"

LOCAL_FILES = Path(__file__).parents[1] / "jvm" / "localfiles" / "target" / "scala-2.13" / "rockstate-localfiles.jar"

ON_HADOOP_FILES = os.environ.get("ROCKSTATE_HADOOP_FILES") == "1"

# Too short a life for the optimizing compiler, without which code would have less room, and two cores at most.
QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC"

# To verify classes is a fifth of what it takes a Spark to start and end.
UNVERIFIED = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"


def submit_options() -> str:
    """JVM options for every Spark that is started here, as SPARK_SUBMIT_OPTS: mapped classes are half of its time.

    A Spark with another class path does without those, and says nothing of it.
    """
    mapped = f"-XX:SharedArchiveFile={CLASSES} -Xlog:cds=off -Xlog:cds+dynamic=off"
    return " ".join([UNVERIFIED, QUICK_JVM, *([mapped] if CLASSES.is_file() else [])])


def environment_without_spark(*others: str) -> dict[str, str]:
    """This process's environment with nothing of the developer's own Spark, nor what else begins like these."""
    names = ("PYSPARK", "SPARK", *others)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    return {**kept, "SPARK_SUBMIT_OPTS": submit_options()}


def quick_local_files() -> dict[str, str]:
    """Confs of a session whose local files take no processes, as Hadoop's own do.

    None if `make` has not built them, or if ROCKSTATE_HADOOP_FILES=1 wants the tests on those that users have.
    """
    if not LOCAL_FILES.is_file() or ON_HADOOP_FILES:
        return {}
    return {
        "spark.driver.extraClassPath": str(LOCAL_FILES),
        "spark.hadoop.fs.file.impl": "io.rockstate.localfiles.LocalFilesInProcess",
        "spark.hadoop.fs.AbstractFileSystem.file.impl": "io.rockstate.localfiles.LocalFsInProcess",
    }


def quick_spark(*java: str, **confs: str) -> dict[str, str]:
    """An environment in which every Spark writes quicker, too.

    Its class path begins with what the mapped classes are of: hence no spark-defaults.conf, and LOCAL_FILES come last.

    Args:
        java: further JVM options.
        confs: further confs, by name.
    """
    properties = {**quick_local_files(), "spark.ui.enabled": "false", **confs}
    defined = [*java, *(f"-D{key}={value}" for key, value in properties.items())]
    options = " ".join([submit_options(), *map(shlex.quote, defined)])
    return {"SPARK_SUBMIT_OPTS": options, "SPARK_DIST_CLASSPATH": str(LOCAL_FILES)}

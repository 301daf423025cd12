"""A session for one contender: the same for all but for the state store."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any

import rockstate
from benchmarks.contenders import ROCKSTATE, Contender
from benchmarks.jvm import JAR
from rockstate.options.keys import PROVIDER_KEY, STATE_STORE

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = 4
_LAB = "io.rockstate.benchmarks.lab."


def common_confs(heap: str, jars: Sequence[str], work: Path, partitions: int = PARTITIONS) -> dict[str, str]:
    """What every contender's session has. Maintenance comes often enough to happen while batches are timed."""
    return {
        "spark.driver.memory": heap,
        "spark.driver.extraJavaOptions": (
            f"-Xms{heap} -XX:+AlwaysPreTouch -XX:+ExitOnOutOfMemoryError -Djava.io.tmpdir={work / 'tmp'}"
        ),
        "spark.jars": ",".join([str(JAR), *jars]),
        "spark.hadoop.fs.bench.impl": _LAB + "BenchFileSystem",
        "spark.hadoop.fs.AbstractFileSystem.bench.impl": _LAB + "BenchAbstractFileSystem",
        "spark.local.dir": str(work / "local"),
        "spark.sql.warehouse.dir": str(work / "warehouse"),
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.streaming.numRecentProgressUpdates": "100000",
        STATE_STORE + "maintenanceInterval": "10s",
        # Spark's StateStore.stop waits for maintenance under a lock that maintenance may be waiting for.
        STATE_STORE + "maintenanceShutdownTimeout": "5s",
        STATE_STORE + "maintenanceForceShutdownTimeout": "5s",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }


def contender_confs(contender: Contender, budget: int) -> Mapping[str, str]:
    """What makes a session the contender's; Rockstate's own come from `rockstate.configure`."""
    provider = {} if contender.name == ROCKSTATE else {PROVIDER_KEY: contender.provider}
    return {**provider, **contender.confs(budget)}


def start(contender: Contender, budget: int, confs: Mapping[str, str], work: Path) -> SparkSession:
    """Starts Spark's JVM with two cores, the `confs` that all contenders have and the contender's own.

    Raises FileNotFoundError if the benchmarks' jar has not been built.
    """
    from pyspark.sql import SparkSession

    if not JAR.is_file():
        raise FileNotFoundError(f"{JAR} is not there: run `jvm/sbt benchmarks/package` or `make bench`")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    for each in ("tmp", "local"):
        (work / each).mkdir(parents=True, exist_ok=True)
    builder = SparkSession.builder.master("local[2]").appName(f"benchmark of {contender.name}")
    builder = builder.config(map=dict(confs))
    builder = builder.config(map=dict(contender_confs(contender, budget)))
    if contender.name == ROCKSTATE:
        builder = rockstate.configure(builder)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def end(spark: SparkSession) -> None:
    """Stops the session, and ends its JVM: the next one has a new one."""
    from pyspark import SparkContext

    gateway = spark.sparkContext._gateway
    spark.stop()
    gateway.shutdown()  # type: ignore[union-attr]
    gateway.proc.stdin.close()  # type: ignore[union-attr]
    gateway.proc.wait(timeout=60)  # type: ignore[union-attr]
    SparkContext._gateway = SparkContext._jvm = None


def is_out_of_memory(spark: SparkSession) -> bool:
    """Whether the session's JVM has ended for lack of heap: exit code 3."""
    process = spark.sparkContext._gateway.proc  # type: ignore[union-attr]
    try:
        return bool(process.wait(timeout=5) == 3)
    except TimeoutExpired:
        return False


def cpu_millis(spark: SparkSession) -> float:
    """How long all threads of the session's JVM have worked."""
    process = spark.sparkContext._gateway.proc  # type: ignore[union-attr]
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[11:13]
    return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")


def machine(spark: SparkSession) -> dict[str, Any]:
    """What the session's JVM says of the machine."""
    system = spark._jvm.java.lang.System  # type: ignore[union-attr]
    return {
        "cores": os.cpu_count() or 1,
        "jdk": system.getProperty("java.runtime.version"),
        "os": " ".join(system.getProperty(f"os.{each}") for each in ("name", "version", "arch")),
        "spark": spark.version,
    }

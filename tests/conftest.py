"""Fixtures for every test that needs Spark."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark's Python workers need what these tests run with, not the first python3 on the PATH.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# To verify classes is a fifth of what it takes a Spark to start and end. Every JVM that spark-submit starts has this.
os.environ["SPARK_SUBMIT_OPTS"] = "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"


#: Whether everything is tested, as by `make test-all`; else what differs in breadth only is tested in part.
IS_WHOLE = "ROCKSTATE_EVERY_MOVE" in os.environ

#: For what takes minutes, and is much like something that is always tested.
whole = pytest.mark.skipif(not IS_WHOLE, reason="`make test-all` runs it")

LOCAL_FILES = Path(__file__).parents[1] / "jvm" / "localfiles" / "target" / "scala-2.13" / "rockstate-localfiles.jar"


def environment_without_spark(*others: str) -> dict[str, str]:
    """This process's environment with nothing of the developer's own Spark, nor what else begins like these."""
    names = ("PYSPARK", "SPARK", *others)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    return {**kept, "SPARK_SUBMIT_OPTS": os.environ["SPARK_SUBMIT_OPTS"]}


def quick_local_files() -> dict[str, str]:
    """Confs of a session whose local files take no processes, as Hadoop's own do; none if `make` has not built them."""
    if not LOCAL_FILES.is_file():
        return {}
    return {
        "spark.driver.extraClassPath": str(LOCAL_FILES),
        "spark.hadoop.fs.file.impl": "io.rockstate.localfiles.LocalFilesInProcess",
        "spark.hadoop.fs.AbstractFileSystem.file.impl": "io.rockstate.localfiles.LocalFsInProcess",
    }


# Too short a life for the optimizing compiler, and two cores at most.
QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def quick_spark(folder: Path, **more: str) -> dict[str, str]:
    """An environment in which every Spark starts and writes quicker: its spark-defaults.conf is written to the folder.

    Args:
        more: further confs, by name; JVM options come after ours.
    """
    java = " ".join([QUICK_JVM, more.pop("java", "")]).strip()
    confs = {**quick_local_files(), "spark.driver.extraJavaOptions": java, "spark.ui.enabled": "false", **more}
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{key} {value}\n" for key, value in confs.items())
    (folder / "spark-defaults.conf").write_text(text, encoding="utf-8")
    return {"SPARK_CONF_DIR": str(folder)}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One local session for the whole run with its state in Rockstate: two cores, two shuffle partitions, no UI."""
    from pyspark.sql import SparkSession

    import rockstate

    builder = SparkSession.builder.master("local[2]").appName("rockstate tests")
    # A restart stands for one on another machine: what was done to a checkpoint meanwhile is to be noticed.
    builder = rockstate.configure(builder, memory_budget="64m", maintenance_interval="1s", warm_restart_disk=0)
    builder = builder.config(
        map={
            "spark.sql.shuffle.partitions": 2,
            "spark.driver.extraJavaOptions": QUICK_JVM,
            # Spark's StateStore.stop waits for maintenance under a lock that maintenance may be waiting for.
            "spark.sql.streaming.stateStore.maintenanceShutdownTimeout": "5s",
            "spark.sql.streaming.stateStore.maintenanceForceShutdownTimeout": "5s",
            "spark.ui.enabled": "false",
            **quick_local_files(),
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        }
    )
    if "ROCKSTATE_TEST_PROVIDER" in os.environ:
        builder = builder.config("spark.sql.streaming.stateStore.providerClass", os.environ["ROCKSTATE_TEST_PROVIDER"])
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("WARN")
    yield session
    session.stop()


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    """The path of a checkpoint folder that does not exist yet."""
    return str(tmp_path / "checkpoint")


@pytest.fixture
def with_conf(spark: SparkSession) -> Iterator[Callable[[str, str], None]]:
    """Sets a conf of the session for one test and puts the old value back afterwards."""
    before: dict[str, str | None] = {}

    def set_conf(key: str, value: str) -> None:
        before.setdefault(key, spark.conf.get(key, None))
        spark.conf.set(key, value)

    yield set_conf
    for key, value in before.items():
        if value is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, value)

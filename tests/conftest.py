"""Fixtures for every test that needs Spark."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.quick_spark import quick_local_files, submit_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark's Python workers need what these tests run with, not the first python3 on the PATH.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ["SPARK_SUBMIT_OPTS"] = submit_options()


#: Whether everything is tested, as by `make test-all`; else what differs in breadth only is tested in part.
IS_WHOLE = "ROCKSTATE_EVERY_MOVE" in os.environ

#: For what takes minutes, and is much like something that is always tested.
whole = pytest.mark.skipif(not IS_WHOLE, reason="`make test-all` runs it")


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


@pytest.fixture
def spark_logs(spark: SparkSession) -> Iterator[None]:
    """Puts the log levels that `rockstate rows` sets back."""
    yield
    spark.sparkContext.setLogLevel("WARN")
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.NOTSET)

"""A query that is started again where it ran before goes on from its local databases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.minors import MINOR
from tests.integration.streams import TIMEOUT_SECONDS, EventFiles, assert_same_rows, hours_of_events

from rockstate import Checkpoint, Damaged
from rockstate.launch.versions import is_since

ROCKSTATE = "spark.sql.streaming.stateStore.rockstate."
FORMAT_KEY = "spark.sql.streaming.stateStore.checkpointFormatVersion"
STORES = 2  # the session's shuffle partitions


@pytest.fixture(autouse=True)
def databases(spark: SparkSession, tmp_path: Path) -> Iterator[None]:
    """Closed stores leave their databases here, other than in the other tests."""
    confs = {f"{ROCKSTATE}warmRestartDisk": "1g", f"{ROCKSTATE}warmRestartFolder": str(tmp_path / "databases")}
    before = {key: spark.conf.get(key, None) for key in confs}
    for key, value in confs.items():
        spark.conf.set(key, value)
    yield
    for key, earlier in before.items():
        if earlier is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, earlier)


def sums(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*").alias("n"), F.sum("value").alias("total"))


def run(spark: SparkSession, files: EventFiles, folder: Path) -> dict[str, Any]:
    """Runs the query over the files that are new, and returns its first batch's figures."""
    writer = sums(files.stream(spark)).writeStream.format("memory").queryName("warm").outputMode("complete")
    query = writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(availableNow=True).start()
    assert query.awaitTermination(TIMEOUT_SECONDS)
    first = next(progress for progress in query.recentProgress if progress["numInputRows"])
    metrics: dict[str, Any] = first["stateOperators"][0]["customMetrics"]
    return metrics


@pytest.mark.parametrize("format_version", [1, 2])
def test_a_query_that_was_stopped_goes_on_from_its_own_databases(
    spark: SparkSession, tmp_path: Path, format_version: int
) -> None:
    before = spark.conf.get(FORMAT_KEY)
    spark.conf.set(FORMAT_KEY, str(format_version))
    try:
        files = EventFiles(tmp_path / "events")
        for number, events in enumerate(hours_of_events(3)):
            files.add(events)
            metrics = run(spark, files, tmp_path)
            assert metrics["rockstateWarmRestarts"] == (STORES if number else 0)
            assert (metrics["rockstateRecoveryBytesRead"], metrics["rockstateDeltasReplayed"]) == (0, 0)
        assert_same_rows([tuple(row) for row in spark.table("warm").collect()], sums(files.batch(spark)))
    finally:
        spark.conf.set(FORMAT_KEY, str(before))


def test_switched_off_it_recovers_from_storage(spark: SparkSession, tmp_path: Path) -> None:
    files = EventFiles(tmp_path / "events")
    first, second = hours_of_events(2)
    files.add(first)
    run(spark, files, tmp_path)
    spark.conf.set(f"{ROCKSTATE}warmRestartDisk", "0")
    files.add(second)
    metrics = run(spark, files, tmp_path)
    assert metrics["rockstateWarmRestarts"] == 0 and metrics["rockstateRecoveryBytesRead"] > 0
    assert_same_rows([tuple(row) for row in spark.table("warm").collect()], sums(files.batch(spark)))


@pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")
def test_a_migration_reads_storage(spark: SparkSession, tmp_path: Path) -> None:
    files = EventFiles(tmp_path / "events")
    files.add(hours_of_events(1)[0])
    run(spark, files, tmp_path)
    delta = next((tmp_path / "checkpoint/state/0/1").glob("*.delta"))
    written = delta.read_bytes()
    delta.write_bytes(written[: len(written) // 2])
    with pytest.raises(Damaged, match=re.escape(delta.name)):
        Checkpoint(tmp_path / "checkpoint").migrate(tmp_path / "new", "rocksdb")

"""Several stateful operators in one query, each with its own stores, return what the batch query returns."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.streams import (
    EventFiles,
    Job,
    Output,
    assert_same_rows,
    far_future_event,
    hours_of_events,
    run_to_end,
    run_with_restarts,
)

HOURS = 3


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def hourly_maximum_of_counts(events: DataFrame) -> DataFrame:
    """Two aggregations: events per key and ten minutes, and the most of them in each hour."""
    counts = events.groupBy(F.window("time", "10 minutes").alias("w"), "key").count()
    hourly = counts.groupBy(F.window(F.window_time("w"), "1 hour").alias("h")).agg(F.max("count"), F.sum("count"))
    return hourly.select("h.start", "max(count)", "sum(count)")


def test_an_aggregation_of_an_aggregation(spark: SparkSession, files: EventFiles, checkpoint: str) -> None:
    def transform(events: DataFrame) -> DataFrame:
        return hourly_maximum_of_counts(events.withWatermark("time", "1 hour"))

    hours = [*hours_of_events(HOURS), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(transform, "append", checkpoint), files_per_run=1)
    assert_same_rows(output.rows(), hourly_maximum_of_counts(files.batch(spark).where("id >= 0")))


def pairs_per_hour(left: DataFrame, right: DataFrame) -> DataFrame:
    """Joins both on key and a quarter of an hour, and counts the pairs of each hour."""
    near = F.expr("right_time BETWEEN left_time AND left_time + INTERVAL 15 MINUTES")
    pairs = left.join(right, (left.key == right.right_key) & near, "left_outer")
    per_hour = pairs.select("left_time", "right_key").groupBy(F.window("left_time", "1 hour").alias("h"))
    return per_hour.agg(F.count("*"), F.count("right_key")).select("h.start", "count(1)", "count(right_key)")


def test_deduplication_then_join_then_aggregation(spark: SparkSession, files: EventFiles, checkpoint: str) -> None:
    def query(left: DataFrame, right: DataFrame) -> DataFrame:
        distinct = left.withWatermark("time", "1 hour").dropDuplicatesWithinWatermark(["id"])
        other = right.withWatermark("time", "1 hour").selectExpr("key AS right_key", "time AS right_time")
        return pairs_per_hour(distinct.withColumnRenamed("time", "left_time"), other)

    output = Output()
    for events in [*hours_of_events(HOURS, per_hour=40, keys=10), [far_future_event()]]:
        files.add(events * 2)  # every event twice
        left, right = files.stream(spark), files.stream(spark).dropDuplicates(["id"])
        run_to_end(output.writer(query(left, right), "append"), checkpoint)
    table = files.batch(spark).where("id >= 0").distinct()
    wanted = pairs_per_hour(
        table.withColumnRenamed("time", "left_time"), table.selectExpr("key AS right_key", "time AS right_time")
    )
    assert_same_rows(output.rows(), wanted)
    stores = {path.parent.name for path in Path(checkpoint, "state").glob("*/0")}
    assert len(stores) == 4, "one folder for each stateful operator"

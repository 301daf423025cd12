"""Streaming aggregations on Rockstate return what the same aggregation returns over a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.conftest import whole
from tests.integration.streams import (
    EventFiles,
    Job,
    assert_pinned,
    assert_same_rows,
    far_future_event,
    hours_of_events,
    run_with_restarts,
)

HOURS = 4
NEVER_RESTARTED, RESTARTED_AFTER_EVERY_BATCH = HOURS + 1, 1
STATE_FORMAT = "spark.sql.streaming.aggregation.stateFormatVersion"
SetConf = Callable[[str, str], None]


@pytest.fixture(
    params=[
        (NEVER_RESTARTED, "2"),
        (RESTARTED_AFTER_EVERY_BATCH, "2"),
        pytest.param((RESTARTED_AFTER_EVERY_BATCH, "1"), marks=whole),
    ],
    ids=["one run", "restarts", "restarts, state format 1"],
)
def files_per_run(request: pytest.FixtureRequest, with_conf: SetConf) -> int:
    """After how many files a query is started anew; the session has the state format that goes with it."""
    count, state_format = request.param
    with_conf(STATE_FORMAT, state_format)
    return int(count)


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*"), F.sum("value"), F.avg("value"), F.min("time"), F.max("id"))


def per_window(events: DataFrame) -> DataFrame:
    windows = events.groupBy(F.window("time", "20 minutes").alias("w"), "key")
    return windows.agg(F.count("*"), F.sum("value")).select("w.start", "key", "count(1)", "sum(value)")


def per_window_with_watermark(events: DataFrame) -> DataFrame:
    return per_window(events.withWatermark("time", "1 hour"))


def with_every_kind_of_type(events: DataFrame) -> DataFrame:
    keyed = events.select(
        "key",
        F.to_date("time").alias("day"),
        F.struct(F.col("value") % 3, F.length("key")).alias("pair"),
        (F.col("value") / 7).cast("decimal(20,4)").alias("money"),
        F.encode("key", "utf-8").alias("bytes"),
        F.array("id", "value").alias("both"),
    )
    return keyed.groupBy("key", "day", "pair").agg(
        F.sum("money"),
        F.hex(F.max("bytes")),
        F.sort_array(F.collect_list("both")).cast("string"),
        F.stddev("money").isNull(),
    )


def test_append_emits_each_window_once_when_the_watermark_has_passed_it(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int
) -> None:
    hours = [*hours_of_events(HOURS), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(per_window_with_watermark, "append", checkpoint), files_per_run)
    assert_same_rows(output.rows(), per_window(files.batch(spark).where("id >= 0")))


@pytest.mark.parametrize("transform", [per_window, per_window_with_watermark])
def test_update_ends_with_the_value_of_every_window(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int, transform: object
) -> None:
    assert callable(transform)
    output = run_with_restarts(
        spark, files, hours_of_events(HOURS), Job(transform, "update", checkpoint), files_per_run
    )
    assert_same_rows(output.upserted(key_columns=2), per_window(files.batch(spark)))


def test_complete_emits_the_whole_table_in_every_batch(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int
) -> None:
    hours = hours_of_events(HOURS)
    output = run_with_restarts(spark, files, hours, Job(per_key, "complete", checkpoint), files_per_run)
    seen: Counter[str | None] = Counter()
    for number, events in enumerate(hours):
        seen.update(event["key"] for event in events)
        assert {row[0]: row[1] for row in output.batches[number]} == seen
    assert_same_rows(output.batches[HOURS - 1], per_key(files.batch(spark)))


def test_keys_and_values_of_many_types_survive_a_restart(
    spark: SparkSession, files: EventFiles, checkpoint: str
) -> None:
    hours = hours_of_events(3, per_hour=60, keys=5)
    output = run_with_restarts(
        spark, files, hours, Job(with_every_kind_of_type, "complete", checkpoint), files_per_run=1
    )
    assert_same_rows(output.batches[2], with_every_kind_of_type(files.batch(spark)))


def test_a_batch_without_rows_keeps_the_state(spark: SparkSession, files: EventFiles, checkpoint: str) -> None:
    first, second = hours_of_events(2)
    output = run_with_restarts(
        spark, files, [first, [], [], second], Job(per_key, "complete", checkpoint), files_per_run=2
    )
    assert_same_rows(output.batches[max(output.batches)], per_key(files.batch(spark)))


def test_a_global_aggregation_has_one_row(spark: SparkSession, files: EventFiles, checkpoint: str) -> None:
    def total(events: DataFrame) -> DataFrame:
        return events.agg(F.count("*"), F.sum("value"))

    output = run_with_restarts(spark, files, hours_of_events(3), Job(total, "complete", checkpoint), files_per_run=1)
    assert_same_rows(output.batches[2], total(files.batch(spark)))


def test_the_state_format_of_the_first_batch_stays(
    spark: SparkSession, files: EventFiles, checkpoint: str, with_conf: SetConf
) -> None:
    first, second = hours_of_events(2)
    for state_format, events in (("1", first), ("2", second)):
        with_conf(STATE_FORMAT, state_format)
        output = run_with_restarts(spark, files, [events], Job(per_key, "complete", checkpoint), files_per_run=1)
    assert_same_rows(output.batches[1], per_key(files.batch(spark)))
    assert_pinned(checkpoint, STATE_FORMAT, "1")


def test_stores_may_be_unloaded_after_every_commit(
    spark: SparkSession, files: EventFiles, checkpoint: str, with_conf: SetConf
) -> None:
    with_conf("spark.sql.streaming.stateStore.unloadOnCommit", "true")
    with_conf("spark.sql.streaming.stateStore.minDeltasForSnapshot", "2")
    # Spark may close a store that a task of the next batch is loading; on a cluster it tries the task again.
    for attempt in range(3):
        job = Job(per_key, "update", f"{checkpoint}-{attempt}")
        try:
            output = run_with_restarts(spark, files, hours_of_events(HOURS), job, NEVER_RESTARTED)
            break
        except StreamingQueryException as error:
            assert "The store was closed while a version was being loaded" in str(error)
    assert_same_rows(output.upserted(key_columns=1), per_key(files.batch(spark)))
    assert list(Path(job.checkpoint, "state/0/0").glob("*.snapshot")), "maintenance ran before the unloading"

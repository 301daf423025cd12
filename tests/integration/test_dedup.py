"""Streaming deduplication on Rockstate lets every row through once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.integration.streams import (
    Event,
    EventFiles,
    Job,
    assert_same_rows,
    far_future_event,
    hours_of_events,
    run_with_restarts,
)

HOURS = 5
restarts = pytest.mark.parametrize(
    ("files_per_run", "mode"),
    [
        pytest.param(HOURS + 1, "append", id="one run"),
        pytest.param(1, "append", id="restarts"),
        pytest.param(1, "update", id="restarts, update mode"),
    ],
)


def with_duplicates(hours: list[list[Event]], lag: int, seed: int = 3) -> list[list[Event]]:
    """A third of the events again, each in its own file or one of the `lag` after it."""
    random = Random(seed)
    result = [list(events) for events in hours]
    for number, events in enumerate(hours):
        for event in random.sample(events, len(events) // 3):
            result[min(number + random.randint(0, lag), len(hours) - 1)].append(event)
    for events in result:
        random.shuffle(events)
    return result


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def distinct_events(files: EventFiles, spark: SparkSession) -> DataFrame:
    return files.batch(spark).distinct()


@restarts
def test_drop_duplicates_without_watermark_remembers_every_row(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int, mode: str
) -> None:
    hours = with_duplicates(hours_of_events(HOURS), lag=HOURS)
    output = run_with_restarts(
        spark, files, hours, Job(lambda events: events.dropDuplicates(["id"]), mode, checkpoint), files_per_run
    )
    assert_same_rows(output.rows(), distinct_events(files, spark))


@restarts
def test_drop_duplicates_with_a_watermark_column(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int, mode: str
) -> None:
    def transform(events: DataFrame) -> DataFrame:
        return events.withWatermark("time", "3 hours").dropDuplicates(["id", "time"])

    hours = [*with_duplicates(hours_of_events(HOURS), lag=2), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(transform, mode, checkpoint), files_per_run)
    assert_same_rows(output.rows(), distinct_events(files, spark))


@restarts
def test_drop_duplicates_within_watermark(
    spark: SparkSession, files: EventFiles, checkpoint: str, files_per_run: int, mode: str
) -> None:
    def transform(events: DataFrame) -> DataFrame:
        return events.withWatermark("time", "3 hours").dropDuplicatesWithinWatermark(["id"])

    hours = [*with_duplicates(hours_of_events(HOURS), lag=2), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(transform, mode, checkpoint), files_per_run)
    assert_same_rows(output.rows(), distinct_events(files, spark))


def test_within_watermark_a_key_is_new_again_after_it_was_evicted(
    spark: SparkSession, files: EventFiles, checkpoint: str
) -> None:
    def transform(events: DataFrame) -> DataFrame:
        return events.withWatermark("time", "30 minutes").dropDuplicatesWithinWatermark(["key"])

    first = hours_of_events(1, per_hour=1, keys=2)[0][0]
    again = {**first, "id": 1, "time": first["time"] + timedelta(hours=20)}
    between = {**far_future_event(), "time": first["time"] + timedelta(hours=10)}
    output = run_with_restarts(
        spark, files, [[first], [between], [again]], Job(transform, "append", checkpoint), files_per_run=1
    )
    assert sorted(row[0] for row in output.rows()) == [-1, 0, 1]

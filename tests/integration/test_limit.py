"""A streaming limit on Rockstate lets exactly so many rows through, over all batches and restarts."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.integration.streams import EventFiles, Job, hours_of_events, run_with_restarts

BATCHES, ROWS_PER_BATCH = 4, 10


@pytest.mark.parametrize("limit", [3, 25, 1000], ids=["in the first batch", "across batches", "never reached"])
def test_a_limit_counts_over_batches_and_restarts(
    spark: SparkSession, tmp_path: Path, checkpoint: str, limit: int
) -> None:
    files = EventFiles(tmp_path / "events")
    hours = hours_of_events(BATCHES, per_hour=ROWS_PER_BATCH)
    output = run_with_restarts(
        spark, files, hours, Job(lambda events: events.limit(limit), "append", checkpoint), files_per_run=1
    )
    seen = 0
    for number, events in enumerate(hours):
        ids = [row[0] for row in output.batches[number]]
        assert len(ids) == min(limit - seen, ROWS_PER_BATCH)
        assert len(set(ids)) == len(ids) and set(ids) <= {event["id"] for event in events}
        seen += len(ids)


def test_a_limit_before_an_aggregation_in_complete_mode(spark: SparkSession, tmp_path: Path, checkpoint: str) -> None:
    files = EventFiles(tmp_path / "events")
    hours = hours_of_events(BATCHES, per_hour=ROWS_PER_BATCH)
    output = run_with_restarts(
        spark,
        files,
        hours,
        Job(lambda events: events.limit(25).groupBy().count(), "complete", checkpoint),
        files_per_run=1,
    )
    assert [output.batches[number] for number in range(BATCHES)] == [[(10,)], [(20,)], [(25,)], [(25,)]]

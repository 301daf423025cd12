"""Queries whose batches Spark runs more than once: their rows are right, and state is not loaded for each run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery
from tests.integration.streams import TIMEOUT_SECONDS, EventFiles, assert_same_rows, hours_of_events

HOURS = 6
FORMAT_KEY = "spark.sql.streaming.stateStore.checkpointFormatVersion"


class Results:
    """The last batch of a query, as each of its actions has computed it."""

    def __init__(self, actions: int) -> None:
        self._actions = actions
        self.last: list[list[tuple[Any, ...]]] = []

    def keep(self, batch: DataFrame, _number: int) -> None:
        self.last = [[tuple(row) for row in batch.collect()] for _ in range(self._actions)]


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*").alias("n"), F.sum("value").alias("total"))


def in_order(counts: DataFrame) -> DataFrame:
    """Spark samples what it sorts before it does."""
    return counts.orderBy("n", "total")


@pytest.fixture(params=["1", "2"])
def query(
    request: pytest.FixtureRequest, spark: SparkSession, checkpoint: str, with_conf: Callable[[str, str], None]
) -> Callable[[DataFrame, Results], StreamingQuery]:
    """Starts a query in one of the checkpoint formats and returns it when it has read all files."""
    with_conf(FORMAT_KEY, request.param)
    # A snapshot brings the database to the newest version: a batch that runs again after that loads the one before.
    with_conf("spark.sql.streaming.stateStore.minDeltasForSnapshot", "100")

    def run(result: DataFrame, results: Results) -> StreamingQuery:
        writer = result.writeStream.outputMode("complete").foreachBatch(results.keep)
        query = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
        assert query.awaitTermination(TIMEOUT_SECONDS)
        return query

    return run


@pytest.mark.parametrize(
    ("shape", "actions"), [(in_order, 1), (lambda counts: counts, 3)], ids=["sorted", "three actions"]
)
def test_a_batch_that_runs_more_than_once(
    spark: SparkSession,
    tmp_path: Path,
    query: Callable[[DataFrame, Results], StreamingQuery],
    shape: Callable[[DataFrame], DataFrame],
    actions: int,
) -> None:
    files = EventFiles(tmp_path / "events")
    for hour in hours_of_events(HOURS):
        files.add(hour)
    results = Results(actions)
    progresses = query(shape(per_key(files.stream(spark))), results).recentProgress
    assert len(results.last) == actions and all(
        sorted(rows, key=str) == sorted(results.last[0], key=str) for rows in results.last
    )
    assert_same_rows(results.last[0], per_key(files.batch(spark)))
    batches = [progress["stateOperators"][0]["customMetrics"] for progress in progresses]
    assert len(batches) == HOURS
    # From the third on: before, the store does not know yet that this query does so.
    assert [batch["rockstateDeltasReplayed"] for batch in batches[2:]] == [0] * (HOURS - 2)

"""Queries of more operators whose state is moved: what `test_migrate` leaves out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.state import GroupStateTimeout
from tests.integration.minors import MINOR
from tests.integration.moves import SOME, SetConf, Travelling
from tests.integration.streams import EventFiles, assert_same_rows, far_future_event, hours_of_events
from tests.integration.test_group_state import MODES, Counts, by_key, model
from tests.integration.test_session import closing_sessions, session_windows, sparse_hours
from tests.integration.test_several_operators import hourly_maximum_of_counts, pairs_per_hour

from rockstate.launch.versions import is_since

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")

LIMIT, ROWS_PER_BATCH = 25, 10


@pytest.fixture
def travelling(spark: SparkSession, with_conf: SetConf, tmp_path: Path) -> Travelling:
    return Travelling(spark, with_conf, tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def test_a_limit_counts_on_after_the_move(travelling: Travelling, files: EventFiles) -> None:
    events = hours_of_events(len(SOME), per_hour=ROWS_PER_BATCH)

    def write(number: int) -> Any:
        files.add(events[number])
        return travelling.output.writer(files.stream(travelling.spark).limit(LIMIT), "append")

    moves = travelling.run(SOME, write)
    emitted = [len(travelling.output.batches[number]) for number in range(len(SOME))]
    assert emitted == [10, 10, 5, *[0] * (len(SOME) - 3)]
    assert {store.new_partitions for moved in moves for store in moved.stores} == {1}


@pytest.mark.parametrize("timeout", MODES)
def test_the_state_of_groups_and_its_timeouts(
    travelling: Travelling, files: EventFiles, with_conf: SetConf, timeout: str
) -> None:
    # With a processing-time timeout Spark would run one batch without data after the other.
    with_conf("spark.sql.streaming.noDataMicroBatches.enabled", "false")
    events = hours_of_events(len(SOME), per_hour=15, keys=12)

    def write(number: int) -> Any:
        files.add(events[number])
        return travelling.output.writer(by_key(files.stream(travelling.spark), timeout), MODES[timeout])

    moves = travelling.run(SOME, write)
    assert all(moved.rows > 0 for moved in moves)
    state: Counts = {}
    for number, batch in enumerate(events):
        wanted = model(batch, state, timeout == GroupStateTimeout.ProcessingTimeTimeout)
        assert sorted(travelling.output.batches[number], key=repr) == sorted(wanted, key=repr)
    if timeout == GroupStateTimeout.ProcessingTimeTimeout:
        assert any(row[1] == "timeout" for row in travelling.output.rows()), "each is over after a move"


def sessions_of_groups(events: DataFrame) -> DataFrame:
    sessions = events.withColumn("micros", F.unix_micros("time")).groupBy("key")
    ended = sessions.applyInPandasWithState(
        closing_sessions(),
        "start bigint, end bigint, key string, count bigint, total bigint",
        "first bigint, last bigint, count bigint, total bigint",
        "append",
        GroupStateTimeout.EventTimeTimeout,
    )
    return ended.select(F.timestamp_micros("start"), F.timestamp_micros("end"), "key", "count", "total")


def test_timeouts_of_groups_in_event_time(travelling: Travelling, files: EventFiles) -> None:
    events = [*sparse_hours(), [far_future_event()]]
    last = len(SOME) - 1

    def write(number: int) -> Any:
        for more in events[number : None if number == last else number + 1]:
            files.add(more)
        stream = files.stream(travelling.spark).withWatermark("time", "1 second")
        return travelling.output.writer(sessions_of_groups(stream), "append")

    travelling.run(SOME, write)
    assert_same_rows(travelling.output.rows(), session_windows(files.batch(travelling.spark).where("id >= 0")))


def test_an_aggregation_of_an_aggregation(travelling: Travelling, files: EventFiles) -> None:
    events = [*hours_of_events(len(SOME) - 1, per_hour=100), [far_future_event()]]

    def write(number: int) -> Any:
        files.add(events[number])
        stream = files.stream(travelling.spark).withWatermark("time", "1 hour")
        return travelling.output.writer(hourly_maximum_of_counts(stream), "append")

    moves = travelling.run(SOME, write)
    assert {store.operator_id for store in moves[0].stores} == {0, 1}
    table = files.batch(travelling.spark).where("id >= 0")
    assert_same_rows(travelling.output.rows(), hourly_maximum_of_counts(table))


def test_deduplication_then_join_then_aggregation(travelling: Travelling, files: EventFiles) -> None:
    events = [*hours_of_events(len(SOME) - 1, per_hour=40, keys=10), [far_future_event()]]

    def query(left: DataFrame, right: DataFrame) -> DataFrame:
        distinct = left.withWatermark("time", "1 hour").dropDuplicatesWithinWatermark(["id"])
        other = right.withWatermark("time", "1 hour").select(F.expr("key AS right_key"), F.expr("time AS right_time"))
        return pairs_per_hour(distinct.withColumnRenamed("time", "left_time"), other)

    def write(number: int) -> Any:
        files.add(list(events[number]) * 2)
        left, right = files.stream(travelling.spark), files.stream(travelling.spark).dropDuplicates(["id"])
        return travelling.output.writer(query(left, right), "append")

    moves = travelling.run(SOME, write)
    assert {store.operator_id for store in moves[0].stores} == {0, 1, 2, 3}
    table = files.batch(travelling.spark).where("id >= 0").distinct()
    left, right = table.withColumnRenamed("time", "left_time"), table.selectExpr("key right_key", "time right_time")
    assert_same_rows(travelling.output.rows(), pairs_per_hour(left, right))

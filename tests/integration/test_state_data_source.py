"""Spark's state data source on checkpoints of Rockstate, read in a session that has the jar and nothing else."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle, TimerValues
from pyspark.sql.types import StructType
from tests.integration.minors import require_join_state_format
from tests.integration.reader import Reader, Rows
from tests.integration.streams import (
    TIMEOUT_SECONDS,
    Event,
    EventFiles,
    Job,
    Output,
    hours_of_events,
    run_to_end,
    run_with_restarts,
)

BATCHES = 4
PARTITIONS = 2
JOIN_STATE_FORMAT = "spark.sql.streaming.join.stateFormatVersion"
JOIN_STATE_FORMAT_4_ENABLED = "spark.sql.streaming.join.stateFormatV4.enabled"
SetConf = Callable[[str, str], None]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader()
    yield reader
    reader.close()


@contextmanager
def session_conf(spark: SparkSession, key: str, value: int | bool) -> Iterator[None]:
    """Sets a conf of the session, and puts the old value back at the end."""
    before = spark.conf.get(key, None)
    spark.conf.set(key, value)
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, before)


@dataclass(frozen=True)
class Written:
    """A checkpoint, and what its query has read, batch by batch; of a join, also its state format."""

    checkpoint: Path
    batches: list[list[Event]]
    state_format: int = 0

    def until(self, batch: int) -> list[Event]:
        """The events of all batches up to and with this one."""
        return [event for events in self.batches[: batch + 1] for event in events]


def counts(events: list[Event]) -> dict[str | None, list[int]]:
    """Count and sum per key."""
    keys = {event["key"] for event in events}
    of_key = {key: [event["value"] for event in events if event["key"] == key] for key in keys}
    return {key: [len(values), sum(values)] for key, values in of_key.items()}


def in_order(rows: Any) -> list[list[Any]]:
    return sorted(map(list, rows), key=repr)


def count_per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*").alias("n"), F.sum("value").alias("total"))


def write(spark: SparkSession, folder: Path, transform: Callable[[DataFrame], DataFrame], mode: str) -> Written:
    """Runs the query over some small batches, with a restart after each."""
    batches = hours_of_events(BATCHES, per_hour=12, keys=6)
    run_with_restarts(
        spark, EventFiles(folder / "events"), batches, Job(transform, mode, str(folder / "checkpoint")), 1
    )
    return Written(folder / "checkpoint", batches)


@pytest.fixture(scope="module")
def aggregation(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write(spark, tmp_path_factory.mktemp("aggregation"), count_per_key, "update")


def test_the_state_of_every_batch(reader: Reader, aggregation: Written) -> None:
    for batch in range(BATCHES):
        rows = reader.rows(aggregation.checkpoint, "key.key", "value.count", "value.sum", batchId=batch)
        assert in_order(rows) == in_order([key, *figures] for key, figures in counts(aggregation.until(batch)).items())


def test_the_latest_batch_is_the_default(reader: Reader, aggregation: Written) -> None:
    latest = reader.rows(aggregation.checkpoint, "*")
    assert in_order(latest) == in_order(reader.rows(aggregation.checkpoint, "*", batchId=BATCHES - 1))
    assert {row[2] for row in latest} == set(range(PARTITIONS))


def test_a_batch_that_was_not_committed_is_an_error(reader: Reader, aggregation: Written) -> None:
    assert re.match(
        r"\[STDS_(COMMITTED_BATCH|OFFSET_LOG)_UNAVAILABLE\]", reader.error(aggregation.checkpoint, batchId=BATCHES)
    )


def test_the_metadata_of_an_aggregation(reader: Reader, aggregation: Written) -> None:
    columns = ("operatorId", "operatorName", "stateStoreName", "numPartitions", "minBatchId", "maxBatchId")
    rows = reader.rows(aggregation.checkpoint, *columns, source="state-metadata")
    assert rows == [[0, "stateStoreSave", "default", PARTITIONS, 0, BATCHES - 1]]


def test_the_state_of_a_deduplication(reader: Reader, spark: SparkSession, tmp_path: Path) -> None:
    written = write(spark, tmp_path, lambda events: events.dropDuplicates(["key"]), "append")
    assert {row[0] for row in reader.rows(written.checkpoint, "key.key")} == {e["key"] for e in written.until(BATCHES)}


def test_the_state_of_session_windows(reader: Reader, spark: SparkSession, tmp_path: Path) -> None:
    def sessions(events: DataFrame) -> DataFrame:
        return events.groupBy(F.session_window("time", "20 days").alias("s"), "key").count()

    written = write(spark, tmp_path, sessions, "complete")
    rows = reader.rows(written.checkpoint, "key.key", "value.count")
    assert in_order(rows) == in_order([key, count] for key, (count, _) in counts(written.until(BATCHES)).items())


def test_each_operator_of_a_query_has_its_own_state(reader: Reader, spark: SparkSession, tmp_path: Path) -> None:
    written = write(spark, tmp_path, lambda events: count_per_key(events.dropDuplicates(["id"])), "update")
    names = dict(reader.rows(written.checkpoint, "operatorName", "operatorId", source="state-metadata"))
    assert set(names) == {"stateStoreSave", "dedupe"}
    ids = reader.rows(written.checkpoint, "key.id", operatorId=names["dedupe"])
    assert in_order(ids) == in_order([event["id"]] for event in written.until(BATCHES))
    rows = reader.rows(written.checkpoint, "key.key", "value.count", operatorId=names["stateStoreSave"])
    assert in_order(rows) == in_order([key, count] for key, (count, _) in counts(written.until(BATCHES)).items())


@pytest.fixture(scope="module", params=[2, 3, 4], ids=lambda version: f"state format {version}")
def join(request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """An inner join of a stream with itself on the key: its left side's events."""
    require_join_state_format(request.param)
    folder = tmp_path_factory.mktemp("join")
    files = EventFiles(folder / "events")
    batches = hours_of_events(BATCHES, per_hour=12, keys=6)
    with session_conf(spark, JOIN_STATE_FORMAT, request.param), session_conf(spark, JOIN_STATE_FORMAT_4_ENABLED, True):
        for events in batches:
            files.add(events)
            left = files.stream(spark).select("key", "id")
            right = files.stream(spark).select("key", F.col("id").alias("right_id"))
            joined = left.join(right, "key")
            run_to_end(Output().writer(joined, "append"), str(folder / "checkpoint"))
    return Written(folder / "checkpoint", batches, request.param)


def test_the_state_of_each_side_of_a_join(reader: Reader, join: Written) -> None:
    for batch in (1, BATCHES - 1):
        # A null key joins with nothing, but an inner join keeps its rows.
        wanted = in_order([event["key"], event["id"]] for event in join.until(batch))
        for side, column in (("left", "id"), ("right", "right_id")):
            rows = reader.rows(join.checkpoint, "key.field0", f"value.{column}", joinSide=side, batchId=batch)
            assert in_order(row for row in rows if row[0] is not None) == [row for row in wanted if row[0] is not None]


def test_the_stores_of_a_join_by_name(reader: Reader, join: Written) -> None:
    names = {name for (name,) in reader.rows(join.checkpoint, "stateStoreName", source="state-metadata")}
    per_key = Counter(event["key"] for event in join.until(BATCHES) if event["key"] is not None)
    if join.state_format == 4:
        assert names == {"default"}
        rows = reader.rows(join.checkpoint, "key.field0", "value.id", storeName="left-keyWithTsToValues")
        assert Counter(key for key, _ in rows if key is not None) == per_key
    else:
        assert len(names) == {2: 4, 3: 1}[join.state_format]
        rows = reader.rows(join.checkpoint, "key.field0", "value.value", storeName="left-keyToNumValues")
        assert {key: count for key, count in rows if key is not None} == per_key


@pytest.fixture(scope="module")
def with_snapshots(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """An aggregation of which every partition has a snapshot of one of the first two batches."""
    folder = tmp_path_factory.mktemp("snapshots")
    files = EventFiles(folder / "events")
    batches = hours_of_events(BATCHES, per_hour=12, keys=6)
    with session_conf(spark, "spark.sql.streaming.stateStore.minDeltasForSnapshot", 1):
        query = (
            Output()
            .writer(count_per_key(files.stream(spark)), "update")
            .option("checkpointLocation", str(folder / "checkpoint"))
            .start()
        )
        written = Written(folder / "checkpoint", batches)
        for number, events in enumerate(batches):
            files.add(events)
            query.processAllAvailable()
            if number == 1:
                wait_for_snapshots(written)
        query.stop()
    return written


def wait_for_snapshots(written: Written) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not all(snapshots(written, partition) for partition in range(PARTITIONS)):
        assert time.monotonic() < deadline, f"no snapshots in {written.checkpoint}"
        time.sleep(0.1)


def snapshots(written: Written, partition: int) -> list[int]:
    """The batches after which this partition has a snapshot: a batch makes the version that is one higher."""
    files = (written.checkpoint / "state" / "0" / str(partition)).glob("[0-9]*.snapshot")
    return sorted(int(re.split(r"[._]", file.name)[0]) - 1 for file in files)


def test_the_state_from_a_snapshot_on_is_the_state(reader: Reader, with_snapshots: Written) -> None:
    for partition in range(PARTITIONS):
        first = snapshots(with_snapshots, partition)[0]
        for batch in range(first, BATCHES):
            at_once = reader.rows(with_snapshots.checkpoint, "*", batchId=batch)
            replayed = reader.rows(
                with_snapshots.checkpoint, "*", batchId=batch, snapshotStartBatchId=first, snapshotPartitionId=partition
            )
            assert in_order(replayed) == in_order(row for row in at_once if row[-1] == partition)


def test_a_snapshot_that_is_not_there_is_an_error(reader: Reader, aggregation: Written) -> None:
    found = reader.error(aggregation.checkpoint, batchId=2, snapshotStartBatchId=1, snapshotPartitionId=0)
    assert "CANNOT_LOAD_STATE_STORE" in found


def test_the_changes_of_every_batch(reader: Reader, aggregation: Written) -> None:
    wanted = []
    for batch in range(1, BATCHES):
        state = counts(aggregation.until(batch))
        changed = {event["key"] for event in aggregation.batches[batch]}
        wanted += [[batch, "update", key, *state[key]] for key in changed]
    columns = ("batch_id", "change_type", "key.key", "value.count", "value.sum")
    rows = reader.rows(aggregation.checkpoint, *columns, readChangeFeed=True, changeStartBatchId=1)
    assert in_order(rows) == in_order(wanted)
    some = reader.rows(aggregation.checkpoint, *columns, readChangeFeed=True, changeStartBatchId=1, changeEndBatchId=2)
    assert in_order(some) == in_order(row for row in wanted if row[0] <= 2)


def remembering(events: DataFrame) -> DataFrame:
    """Keeps each key's number of events, their ids as a list, and their values as a map by id."""

    class Remember(StatefulProcessor):
        def init(self, handle: StatefulProcessorHandle) -> None:
            self._count = handle.getValueState("count", "n bigint")
            self._ids = handle.getListState("ids", "id bigint")
            self._values = handle.getMapState("values", "id bigint", "value bigint")

        def handleInputRows(self, key: Any, rows: Any, timerValues: TimerValues) -> Iterator[pd.DataFrame]:
            count = (self._count.get() or (0,))[0]
            for frame in rows:
                for number, value in zip(frame["id"].tolist(), frame["value"].tolist(), strict=True):
                    count += 1
                    self._ids.appendValue((number,))
                    self._values.updateValue((number,), (value,))
            self._count.update((count,))
            yield pd.DataFrame({"key": [key[0]]})

    groups = events.where("key IS NOT NULL").groupBy("key")
    return groups.transformWithStateInPandas(Remember(), StructType().add("key", "string"), "update", "none")


def test_the_state_variables_of_transform_with_state(reader: Reader, spark: SparkSession, tmp_path: Path) -> None:
    written = write(spark, tmp_path, remembering, "update")
    events = [event for event in written.until(BATCHES) if event["key"] is not None]

    def rows(variable: str, *select: str, flat: bool = True) -> Rows:
        options = {"stateVarName": variable, "flattenCollectionTypes": str(flat)}
        return in_order(reader.rows(written.checkpoint, "key.key", *select, **options))

    ids = {key: sorted(e["id"] for e in events if e["key"] == key) for key in counts(events)}
    assert rows("count", "value.n") == in_order([key, len(of_key)] for key, of_key in ids.items())
    assert rows("ids", "list_element.id") == in_order([event["key"], event["id"]] for event in events)
    whole_lists = rows("ids", "array_sort(list_value.id)", flat=False)
    assert whole_lists == in_order([key, of_key] for key, of_key in ids.items())
    pairs = rows("values", "user_map_key.id", "user_map_value.value")
    assert pairs == in_order([event["key"], event["id"], event["value"]] for event in events)
    whole_maps = rows("values", "array_sort(map_keys(map_value).id)", flat=False)
    assert whole_maps == in_order([key, of_key] for key, of_key in ids.items())


def test_the_changes_of_a_state_variable(reader: Reader, spark: SparkSession, tmp_path: Path) -> None:
    written = write(spark, tmp_path, remembering, "update")
    options = {"stateVarName": "count", "readChangeFeed": "true", "changeStartBatchId": "1"}
    rows = reader.rows(written.checkpoint, "batch_id", "change_type", "key.key", "value.n", **options)
    wanted = []
    for batch in range(1, BATCHES):
        state = counts(written.until(batch))
        changed = {event["key"] for event in written.batches[batch] if event["key"] is not None}
        wanted += [[batch, "update", key, state[key][0]] for key in changed]
    assert in_order(rows) == in_order(wanted)

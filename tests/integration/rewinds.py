"""Queries that run to their end and then go on from an earlier batch, for tests of `fork` and `rollback`."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.logics import EveryOperation, Sessions
from tests.integration.processors import Form
from tests.integration.state_model import Model
from tests.integration.streams import (
    Event,
    EventFiles,
    Output,
    assert_same_rows,
    far_future_event,
    hours_of_events,
    run_to_end,
)
from tests.integration.test_join import Sides, hour, within_half_an_hour
from tests.integration.test_session import session_windows, sparse_hours
from tests.integration.test_transform_with_state import PANDAS, by_key, operations, run_one_batch

HOURS = 4
MIN_DELTAS = "spark.sql.streaming.stateStore.minDeltasForSnapshot"


def per_key_and_hour(events: DataFrame) -> DataFrame:
    window = F.window("time", "1 hour")
    return (
        events.groupBy(window, "key")
        .agg(F.count("*"), F.sum("value"))
        .select("window.start", "key", "count(1)", "sum(value)")
    )


class Windows:
    """An aggregation with a watermark."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self._files = spark, EventFiles(folder / "events")
        for events in [*hours_of_events(HOURS, per_hour=60), [far_future_event()]]:
            self._files.add(events)

    def add(self, event: Event) -> None:
        self._files.add([event])

    def stream(self) -> DataFrame:
        return per_key_and_hour(self._files.stream(self._spark).withWatermark("time", "1 hour"))

    def table(self) -> DataFrame:
        return per_key_and_hour(self._files.batch(self._spark).where("id >= 0"))


class Joins:
    """An outer join, which has several stores in a partition."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self._sides, self._join = spark, Sides(folder / "events"), within_half_an_hour("left_outer")
        for number in range(HOURS):
            self._sides.add(hour(number, first_id=0), hour(number, first_id=10_000))
        self._sides.add([far_future_event()], [far_future_event()])

    def stream(self) -> DataFrame:
        return self._join(*self._sides.streams(self._spark))

    def table(self) -> DataFrame:
        return self._join(*self._sides.tables(self._spark))


class Timers:
    """`transformWithState`, whose metadata are kept by batch."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self._files = spark, EventFiles(folder / "events")
        for events in [*sparse_hours(), [far_future_event()]]:
            self._files.add(events)

    def stream(self) -> DataFrame:
        timed = self._files.stream(self._spark).withWatermark("time", "1 hour").withColumn("at", F.unix_millis("time"))
        grouped = timed.select("key", "time", "at", "value").groupBy("key")
        ended = PANDAS.run(grouped, Sessions(20 * 60 * 1000), "eventTime")
        return ended.select(F.timestamp_millis("start"), F.timestamp_millis("end"), "key", "count", "total")

    def table(self) -> DataFrame:
        return session_windows(self._files.batch(self._spark).where("id >= 0"))


Query = Windows | Joins | Timers


class Operations:
    """`transformWithState` with TTL and timers of processing time, beside a model of it; a file more than its batches.

    Attributes:
        BATCHES: how many it has made when it has begun.
    """

    BATCHES = 3
    TTL_MILLIS = 4000

    def __init__(self, spark: SparkSession, folder: Path, form: Form) -> None:
        self._spark, self._files, self._form = spark, EventFiles(folder / "events"), form
        self._events = [operations(batch, count=60, keys=6) for batch in range(self.BATCHES + 1)]
        self._output, self._after = Output(), list[Model]()

    def begin(self, checkpoint: Path) -> None:
        model = Model(EveryOperation(self.TTL_MILLIS))
        for batch, events in enumerate(self._events):
            self._files.add(events)
            if batch < self.BATCHES:
                self._one_batch(checkpoint, self._output, model, events)
                self._after.append(deepcopy(model))

    def goes_on(self, checkpoint: Path, batch: int) -> None:
        """Fails unless it emits from there what the model does that has seen all up to the batch, and the rest now."""
        model, output, rest = deepcopy(self._after[batch]), Output(), self._events[batch + 1 :]
        if batch + 1 < self.BATCHES:
            self._one_batch(checkpoint, output, model, rest.pop(0))
            assert Counter(output.batches[batch + 1]) == Counter(self._output.batches[batch + 1])
        self._one_batch(checkpoint, output, model, [event for events in rest for event in events])
        assert any("expired" in row[2] for row in output.rows())

    def _one_batch(self, checkpoint: Path, output: Output, model: Model, events: list[Event]) -> None:
        grouped = self._files.stream(self._spark).select("key", "id", "value").groupBy("key")
        result = self._form.run(grouped, EveryOperation(self.TTL_MILLIS), "processingTime")
        run_one_batch(result, output, str(checkpoint))
        batch = max(output.batches)
        now = max(row[0] for row in output.batches[batch] if row[0] is not None)
        assert Counter(output.batches[batch]) == Counter(model.run(by_key(events), now)), f"batch {batch}"


def run(query: Query, checkpoint: Path, output: Output) -> None:
    run_to_end(output.writer(query.stream(), "append"), str(checkpoint))


def finished(query: Query, folder: Path, output: Output) -> Path:
    """A checkpoint of the query that nothing writes to any more, with snapshots."""
    run(query, folder / "running", output)
    partitions = [place for place in (folder / "running/state/0").iterdir() if place.name.isdecimal()]
    deadline = time.monotonic() + 60
    while not all(list(partition.rglob("*.snapshot")) for partition in partitions):
        assert time.monotonic() < deadline, "maintenance makes no snapshot"
        time.sleep(0.1)
    return copied(folder / "running", folder / "old")


def copied(checkpoint: Path, to: Path) -> Path:
    """A copy of a checkpoint whose query has stopped: maintenance may still be at work there."""
    for _ in range(10):
        try:
            return Path(shutil.copytree(checkpoint, to, ignore=shutil.ignore_patterns("*.tmp", "*.tmp.crc")))
        except shutil.Error:  # a file was there, and was renamed or deleted
            shutil.rmtree(to)
    raise AssertionError(f"{checkpoint} changes all the time")


def emitted(output: Output) -> list[tuple[Any, ...]]:
    return [row for row in output.rows() if "end" not in row and -1 not in row]


def goes_on(query: Query, checkpoint: Path, before: Output, batch: int) -> set[int]:
    """Runs the query to its end; with what was emitted up to the batch it has emitted everything, once."""
    after = Output()
    run(query, checkpoint, after)
    assert set(after.batches).isdisjoint(range(batch + 1))
    whole = Output()
    whole.batches = {**{n: rows for n, rows in before.batches.items() if n <= batch}, **after.batches}
    assert_same_rows(emitted(whole), query.table())
    return set(after.batches)

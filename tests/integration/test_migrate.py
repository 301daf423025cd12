"""A query whose state is moved, to other providers and partitions, returns what it would have returned without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.conftest import IS_WHOLE, whole
from tests.integration.logics import EveryOperation, Sessions
from tests.integration.minors import MINOR
from tests.integration.moves import ALL, ALL_WITH_FAMILIES, SOME, WITH_FAMILIES, SetConf, Stops, Travelling
from tests.integration.processors import Form
from tests.integration.state_model import Model
from tests.integration.streams import (
    TIMEOUT_SECONDS,
    Event,
    EventFiles,
    assert_same_rows,
    far_future_event,
    hours_of_events,
)
from tests.integration.test_join import STATE_FORMAT, STATE_FORMAT_4_ENABLED, Sides, hour, within_half_an_hour
from tests.integration.test_session import session_windows, sparse_hours
from tests.integration.test_transform_with_state import AVRO, ENCODING_KEY, PANDAS, ROWS, UNSAFE_ROW, by_key, operations

from rockstate.launch.versions import is_since

Transform = Callable[[DataFrame], DataFrame]

FORMS_OF_TTL = [(PANDAS, UNSAFE_ROW), (ROWS, AVRO), (ROWS, UNSAFE_ROW)]
CHANGELOG = "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")


@pytest.fixture
def travelling(spark: SparkSession, with_conf: SetConf, tmp_path: Path) -> Travelling:
    with_conf(CHANGELOG, "true")
    return Travelling(spark, with_conf, tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def hours(stops: Stops) -> list[Iterable[Event]]:
    """One file of events for each stop, the last one ends all windows."""
    return [*hours_of_events(len(stops) - 1, per_hour=100), [far_future_event()]]


def per_key_and_hour(events: DataFrame) -> DataFrame:
    window = F.window("time", "1 hour")
    counted = events.groupBy(window, "key").agg(F.count("*"), F.sum("value"))
    return counted.select("window.start", "key", "count(1)", "sum(value)")


def per_key(events: DataFrame) -> DataFrame:
    return events.groupBy("key").agg(F.count("*"), F.sum("value"))


def sessions(events: DataFrame) -> DataFrame:
    window = F.session_window("time", "1 minute")
    return events.groupBy(window, "key").count().select("session_window.start", "session_window.end", "key", "count")


def distinct(events: DataFrame) -> DataFrame:
    return events.dropDuplicates(["id", "key"])


def distinct_within_watermark(events: DataFrame) -> DataFrame:
    return events.dropDuplicatesWithinWatermark(["id"])


@pytest.mark.parametrize(
    ("transform", "stops"),
    [(per_key_and_hour, ALL), (sessions, SOME), (distinct_within_watermark, SOME), (distinct, SOME)],
    ids=["aggregation, every move", "sessions", "deduplication within the watermark", "deduplication"],
)
def test_with_a_watermark(travelling: Travelling, files: EventFiles, transform: Transform, stops: Stops) -> None:
    events = hours(stops)

    def write(number: int) -> Any:
        again = events[number - 1] if transform is distinct and number > 0 else []
        files.add([*again, *list(events[number]) * (2 if transform in (distinct, distinct_within_watermark) else 1)])
        stream = transform(files.stream(travelling.spark).withWatermark("time", "1 hour"))
        return travelling.output.writer(stream, "append")

    moves = travelling.run(stops, write)
    emitted = [row for row in travelling.output.rows() if "end" not in row]
    table = files.batch(travelling.spark).where("id >= 0")
    assert_same_rows(emitted, table.distinct() if transform is distinct_within_watermark else transform(table))
    assert all(moved.rows > 0 for moved in moves[:-1])


@pytest.mark.parametrize(
    ("transform", "mode"),
    [(per_key, "update"), *([(per_key, "complete"), (sessions, "complete")] if IS_WHOLE else [])],
    ids=lambda what: what if isinstance(what, str) else what.__name__,
)
@pytest.mark.parametrize("changelog", ["true", "false"])
def test_in_other_modes_with_and_without_changelogs(
    travelling: Travelling, files: EventFiles, transform: Transform, mode: str, changelog: str
) -> None:
    travelling.with_conf(CHANGELOG, changelog)
    events = hours_of_events(len(WITH_FAMILIES), per_hour=60)

    def write(number: int) -> Any:
        files.add(events[number])
        return travelling.output.writer(transform(files.stream(travelling.spark)), mode)

    moves = travelling.run(WITH_FAMILIES, write)
    batches = travelling.output.batches
    emitted = travelling.output.upserted(1) if mode == "update" else batches[max(batches)]
    assert_same_rows(emitted, transform(files.batch(travelling.spark)))
    assert all(moved.rows > 0 for moved in moves)


def test_state_without_a_key_has_one_partition(travelling: Travelling, files: EventFiles) -> None:
    events = hours(SOME)

    def write(number: int) -> Any:
        files.add(events[number])
        counted = files.stream(travelling.spark).groupBy().agg(F.count("*"), F.sum("value"))
        return travelling.output.writer(counted, "complete")

    moves = travelling.run(SOME, write)
    assert {store.new_partitions for moved in moves for store in moved.stores} == {1}
    table = files.batch(travelling.spark).groupBy().agg(F.count("*"), F.sum("value"))
    assert travelling.output.batches[max(travelling.output.batches)] == [tuple(row) for row in table.collect()]


MORE_JOINS = [
    *((how, "2", SOME) for how in ("left_semi", "left_outer", "right_outer", "full_outer")),
    *((how, "3", WITH_FAMILIES) for how in ("inner", "right_outer")),
    *((how, "4", WITH_FAMILIES) for how in ("inner", "left_semi", "left_outer")),
]


@pytest.mark.parametrize(
    ("how", "state_format", "stops"),
    [
        ("inner", "2", SOME),
        ("left_outer", "3", ALL_WITH_FAMILIES),
        ("full_outer", "4", WITH_FAMILIES),
        *(MORE_JOINS if IS_WHOLE else []),
    ],
)
def test_joins(travelling: Travelling, tmp_path: Path, how: str, state_format: str, stops: Stops) -> None:
    travelling.with_conf(STATE_FORMAT, state_format)
    travelling.with_conf(STATE_FORMAT_4_ENABLED, "true")
    sides, join = Sides(tmp_path / "events"), within_half_an_hour(how)

    def write(number: int) -> Any:
        if number < len(stops) - 1:
            sides.add(hour(number, first_id=0), hour(number, first_id=10_000))
        else:
            sides.add([far_future_event()], [far_future_event()])
        return travelling.output.writer(join(*sides.streams(travelling.spark)), "append")

    travelling.run(stops, write)
    emitted = [row for row in travelling.output.rows() if row[0] != -1]
    assert_same_rows(emitted, join(*sides.tables(travelling.spark)))


@whole
@pytest.mark.parametrize(("form", "encoding"), [(ROWS, AVRO), (PANDAS, UNSAFE_ROW)], ids=["rows, Avro", "pandas"])
def test_timers_fire_after_the_move(travelling: Travelling, files: EventFiles, form: Form, encoding: str) -> None:
    travelling.with_conf(ENCODING_KEY, encoding)
    events = [*sparse_hours(), [far_future_event()]]
    last = len(WITH_FAMILIES) - 1

    def write(number: int) -> Any:
        for more in events[number : None if number == last else number + 1]:
            files.add(more)
        timed = files.stream(travelling.spark).withWatermark("time", "1 hour").withColumn("at", F.unix_millis("time"))
        grouped = timed.select("key", "time", "at", "value").groupBy("key")
        ended = form.run(grouped, Sessions(20 * 60 * 1000), "eventTime")
        columns = (F.timestamp_millis("start"), F.timestamp_millis("end"), "key", "count", "total")
        return travelling.output.writer(ended.select(*columns), "append")

    travelling.run(WITH_FAMILIES, write)
    assert_same_rows(travelling.output.rows(), session_windows(files.batch(travelling.spark).where("id >= 0")))


@pytest.mark.parametrize(("form", "encoding"), FORMS_OF_TTL if IS_WHOLE else FORMS_OF_TTL[:1])
def test_lists_and_maps_with_ttl_expire_after_the_move(
    travelling: Travelling, files: EventFiles, form: Form, encoding: str
) -> None:
    travelling.with_conf(ENCODING_KEY, encoding)
    logic, spark, output = EveryOperation(2000), travelling.spark, travelling.output
    model = Model(logic)

    def write(number: int) -> Any:
        files.add(operations(number, count=60, keys=6))
        start = spark.createDataFrame([("nobody", 7)], "key string, n bigint").groupBy("key")
        grouped = files.stream(spark).select("key", "id", "value").groupBy("key")
        return output.writer(form.run(grouped, logic, "processingTime", start), "append")

    def once(writer: Any, checkpoint: str) -> None:
        query = writer.option("checkpointLocation", checkpoint).trigger(once=True).start()
        assert query.awaitTermination(TIMEOUT_SECONDS)

    travelling.run(WITH_FAMILIES, write, once)
    for batch, emitted in output.batches.items():
        now = max(row[0] for row in emitted if row[0] is not None)
        if batch == 0:
            model.start_with({"nobody": [(7,)]}, now)
        assert Counter(emitted) == Counter(model.run(by_key(operations(batch, count=60, keys=6)), now)), (
            f"batch {batch}"
        )
    assert any("expired" in row[2] for row in output.rows())

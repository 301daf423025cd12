"""transformWithState on Rockstate, for frames and for rows, emits what a model in plain Python or a batch emits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.conftest import whole
from tests.integration.logics import Count, CountWithText, EveryOperation, Sessions
from tests.integration.processors import FORMS, Form, Logic
from tests.integration.state_model import Model
from tests.integration.streams import (
    START,
    TIMEOUT_SECONDS,
    Event,
    EventFiles,
    Job,
    Output,
    assert_same_rows,
    far_future_event,
    run_to_end,
    run_with_restarts,
)
from tests.integration.test_session import session_windows, sparse_hours

ENCODING_KEY = "spark.sql.streaming.stateStore.encodingFormat"
UNSAFE_ROW, AVRO = "unsaferow", "avro"
PANDAS, ROWS = FORMS
forms = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)


ENCODED = ["pandas, UnsafeRow", "rows, Avro"]


@pytest.fixture(params=[(PANDAS, UNSAFE_ROW), (ROWS, AVRO)], ids=ENCODED)
def encoded(request: pytest.FixtureRequest, with_conf: Callable[[str, str], None]) -> Form:
    """A form of processors, in a session that encodes state in the way that goes with it."""
    form, encoding = request.param
    with_conf(ENCODING_KEY, encoding)
    assert isinstance(form, Form)
    return form


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


def operations(seed: int, count: int, keys: int) -> list[Event]:
    """Random operations for `EveryOperation`."""
    random = Random(seed)
    return [
        {"id": seed * count + n, "time": START, "key": f"key-{random.randrange(keys)}", "value": random.randrange(16)}
        for n in range(count)
    ]


def by_key(events: list[Event]) -> dict[str, list[tuple[int, int]]]:
    rows = defaultdict(list)
    for event in events:
        rows[event["key"]].append((event["id"], event["value"]))
    return rows


def run_one_batch(result: DataFrame, output: Output, checkpoint: str) -> None:
    """One batch from `checkpoint` on: with timers of processing time a query never runs out of batches by itself."""
    query = output.writer(result, "append").option("checkpointLocation", checkpoint).trigger(once=True).start()
    assert query.awaitTermination(TIMEOUT_SECONDS)


# What it does to state is the same in both forms.
@pytest.mark.parametrize(
    "encoded", [pytest.param((PANDAS, UNSAFE_ROW), marks=whole), (ROWS, AVRO)], ids=ENCODED, indirect=True
)
def test_value_list_and_map_with_ttl_timers_and_initial_state(
    spark: SparkSession, files: EventFiles, checkpoint: str, encoded: Form
) -> None:
    ttl_millis, keys = 4000, 6
    initial = {"key-1": [(5,), (6,)], "nobody": [(7,)]}
    initial_rows = [(key, n) for key, rows in initial.items() for (n,) in rows]
    model, output = Model(EveryOperation(ttl_millis)), Output()
    for batch in range(6):
        events = operations(batch, count=60, keys=keys)
        files.add(events)
        start = spark.createDataFrame(initial_rows, "key string, n bigint").groupBy("key")
        grouped = files.stream(spark).select("key", "id", "value").groupBy("key")
        run_one_batch(encoded.run(grouped, EveryOperation(ttl_millis), "processingTime", start), output, checkpoint)
        now = max(row[0] for row in output.batches[batch] if row[0] is not None)
        if batch == 0:
            model.start_with(initial, now)
        assert Counter(output.batches[batch]) == Counter(model.run(by_key(events), now)), f"batch {batch}"
    assert any("expired" in row[2] for row in output.rows())
    assert state_of(spark, checkpoint, "value") == Counter(
        (key, n) for key, rows in model.state("value").items() for (n,) in rows
    )


def state_of(spark: SparkSession, checkpoint: str, variable: str) -> Counter[tuple[Any, ...]]:
    """What the state data source finds in a value variable."""
    reader = spark.read.format("statestore").option("stateVarName", variable)
    return Counter(tuple(row) for row in reader.load(checkpoint).select("key.*", "value.*").collect())


@pytest.mark.parametrize("files_per_run", [5, 1], ids=["one run", "restarts"])
def test_sessions_end_by_timers_of_event_time(
    spark: SparkSession, files: EventFiles, checkpoint: str, encoded: Form, files_per_run: int
) -> None:
    def transform(events: DataFrame) -> DataFrame:
        timed = events.withWatermark("time", "1 hour").withColumn("at", F.unix_millis("time"))
        grouped = timed.select("key", "time", "at", "value").groupBy("key")
        sessions = encoded.run(grouped, Sessions(20 * 60 * 1000), "eventTime")
        return sessions.select(F.timestamp_millis("start"), F.timestamp_millis("end"), "key", "count", "total")

    hours = [*sparse_hours(), [far_future_event()]]
    output = run_with_restarts(spark, files, hours, Job(transform, "append", checkpoint), files_per_run)
    assert_same_rows(output.rows(), session_windows(files.batch(spark).where("id >= 0")))


def rows_of(keys: str) -> list[Event]:
    return [{"id": n, "time": START, "key": key, "value": 0} for n, key in enumerate(keys)]


@forms
def test_with_avro_a_state_variable_gets_a_field_and_others_come_and_go(
    spark: SparkSession, files: EventFiles, checkpoint: str, with_conf: Callable[[str, str], None], form: Form
) -> None:
    with_conf(ENCODING_KEY, AVRO)
    output = Output()
    for keys, logic in [("aab", Count()), ("aab", Count()), ("aab", CountWithText()), ("aabc", CountWithText())]:
        files.add(rows_of(keys))
        grouped = files.stream(spark).groupBy("key")
        run_to_end(output.writer(form.run(grouped, logic, "none"), "append"), checkpoint)
    assert [sorted(rows) for rows in output.batches.values()] == [
        [("a", 2, None), ("b", 1, None)],
        [("a", 4, None), ("b", 2, None)],
        [("a", 6, "None [(6,)]"), ("b", 3, "None [(3,)]")],
        [("a", 8, "evolved [(6,), (8,)]"), ("b", 4, "evolved [(3,), (4,)]"), ("c", 1, "new [(1,)]")],
    ]


def test_with_unsafe_rows_a_field_more_is_refused_and_the_checkpoint_stays_good(
    spark: SparkSession, files: EventFiles, checkpoint: str
) -> None:
    output = Output()

    def run(logic: Logic) -> None:
        files.add(rows_of("aab"))
        grouped = files.stream(spark).groupBy("key")
        run_to_end(output.writer(ROWS.run(grouped, logic, "none"), "append"), checkpoint)

    run(Count())
    with pytest.raises(StreamingQueryException, match="STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE"):
        run(CountWithText())
    run(Count())
    assert Counter(output.rows()) == Counter(
        [("a", 2, None), ("b", 1, None), *([("a", 4, None), ("b", 2, None)]), ("a", 6, None), ("b", 3, None)]
    )


@forms
def test_a_batch_query_emits_what_one_batch_of_a_stream_emits(
    spark: SparkSession, files: EventFiles, form: Form
) -> None:
    events = operations(seed=0, count=40, keys=4)
    files.add(events)
    grouped = files.batch(spark).select("key", "id", "value").groupBy("key")
    emitted = [tuple(row) for row in form.run(grouped, EveryOperation(4000), "processingTime").collect()]
    assert Counter(emitted) == Counter(Model(EveryOperation(4000)).run(by_key(events), emitted[0][0]))

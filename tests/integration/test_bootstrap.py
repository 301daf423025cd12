"""A query that goes on from state that was made in batch returns what it would have returned of everything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.state import GroupState
from tests.integration.cut_off import contents
from tests.integration.logics import Totals, TotalsInMap
from tests.integration.minors import MINOR
from tests.integration.moves import PROVIDER, SetConf
from tests.integration.processors import Form
from tests.integration.streams import (
    EVENT_SCHEMA,
    Event,
    EventFiles,
    Output,
    assert_same_rows,
    far_future_event,
    hours_of_events,
    run_to_end,
)
from tests.integration.test_join import Sides, hour, within_half_an_hour
from tests.integration.test_transform_with_state import PANDAS, ROWS
from tests.integration.verification import is_sound

from rockstate import Checkpoint, Misuse, Unsupported
from rockstate.cli import main
from rockstate.launch.versions import is_since
from rockstate.moving.move import PROVIDERS

pytestmark = pytest.mark.skipif(not is_since(MINOR, "4.2"), reason="Spark before 4.2 cannot write a store anew")

HOURS = 4
AGGREGATION = "0-stateStoreSave/default"
DEDUPLICATION = "0-dedupe/default"

Transform = Callable[[DataFrame], DataFrame]


class Backfill:
    """Hours of events of which the first are history: known in batch, and never in the stream."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self.folder, self._stream = spark, folder, EventFiles(folder / "stream")
        self._hours = hours_of_events(HOURS, per_hour=80)

    def history(self) -> DataFrame:
        return self._table(self._hours[:2])

    def since(self) -> DataFrame:
        return self._table(self._hours[2:])

    def everything(self) -> DataFrame:
        return self._table(self._hours)

    def _table(self, hours: list[list[Event]]) -> DataFrame:
        rows = [(e["id"], e["time"], e["key"], e["value"]) for events in hours for e in events]
        return self._spark.createDataFrame(rows, EVENT_SCHEMA)

    def events(self) -> DataFrame:
        return self._stream.stream(self._spark).withWatermark("time", "1 hour")

    def start(self, result: DataFrame, mode: str) -> Path:
        """The query's checkpoint before it has seen an event."""
        self._stream.add([])
        run_to_end(Output().writer(result, mode), str(self.folder / "started"))
        return self.folder / "started"

    def go_on(self, result: DataFrame, mode: str, checkpoint: Path) -> Output:
        """What it emits of the hours that are no history, and of the event that ends them."""
        for events in [*self._hours[2:], [far_future_event()]]:
            self._stream.add(events)
        output = Output()
        run_to_end(output.writer(result, mode), str(checkpoint))
        return output


@pytest.fixture
def backfill(spark: SparkSession, tmp_path: Path) -> Backfill:
    return Backfill(spark, tmp_path)


def per_key_and_hour(events: DataFrame) -> DataFrame:
    window = F.window("time", "1 hour")
    return events.groupBy(window, "key").agg(F.count("*"), F.avg("value"))


def columns(windows: DataFrame) -> DataFrame:
    return windows.select("window.start", "key", "count(1)", F.round("avg(value)", 6))


@pytest.mark.parametrize("provider", ["rockstate", "rocksdb", "hdfs"])
def test_an_aggregation(backfill: Backfill, tmp_path: Path, with_conf: SetConf, provider: str) -> None:
    with_conf(PROVIDER, PROVIDERS[provider])
    if provider != "rockstate":
        with_conf("spark.sql.streaming.stateStore.checkpointFormatVersion", "1")
    result = columns(per_key_and_hour(backfill.events()))
    old, new = backfill.start(result, "append"), tmp_path / "new"
    before = contents(old)
    window = F.window("time", "1 hour").alias("window")
    value = F.struct(
        F.count("*").alias("count"),
        F.coalesce(F.sum(F.col("value").cast("double")), F.lit(0.0)).alias("sum"),
        F.count("value").alias("count_2"),
    )
    counted = backfill.history().groupBy(window, "key").agg(value.alias("value"))
    rows = counted.select(F.struct("key", "window").alias("key"), "value")
    made = Checkpoint(old).bootstrap(new, {AGGREGATION: rows})
    assert (made.new_provider, made.rows) == (PROVIDERS[provider], rows.count())
    assert contents(old) == before
    assert (new / "metadata").read_text() != (old / "metadata").read_text()
    if provider == "rockstate":
        is_sound(new)
    output = backfill.go_on(result, "append", new)
    emitted = [row for row in output.rows() if "end" not in row]
    assert_same_rows(emitted, columns(per_key_and_hour(backfill.everything())))


def test_keys_that_are_equal_in_sql_are_one(backfill: Backfill, spark: SparkSession, tmp_path: Path) -> None:
    number = F.when(F.col("value") % 2 == 0, F.lit(0.0)).otherwise(F.lit("NaN").cast("double"))
    result = backfill.events().groupBy(number.alias("number")).count()
    old, new = backfill.start(result, "update"), tmp_path / "new"
    numbers = "VALUES (-0.0D), (double('NaN')) AS t(n)"
    given = spark.sql(f"SELECT struct(n AS _groupingexpression) AS key, struct(1000L AS count) AS value FROM {numbers}")
    Checkpoint(old).bootstrap(new, {AGGREGATION: given})
    last = {str(number): count for number, count in backfill.go_on(result, "update", new).upserted(1)}
    since = backfill.since().groupBy(number.alias("number")).count().collect()
    assert set(last) == {"0.0", "nan"}
    assert sum(last.values()) == sum(row["count"] for row in since) + 2 * 1000 + 1  # the event that ends the hours


def test_deduplication(backfill: Backfill, tmp_path: Path) -> None:
    result = backfill.events().dropDuplicates(["key"]).select("key")
    old, new = backfill.start(result, "append"), tmp_path / "new"
    known = backfill.history().select(F.struct("key").alias("key")).distinct()
    Checkpoint(old).bootstrap(new, {DEDUPLICATION: known})
    emitted = backfill.go_on(result, "append", new).rows()
    seen = {row.key.key for row in known.collect()}
    wanted = {row.key for row in backfill.everything().select("key").collect()} - seen | {"end"}
    assert {row[0] for row in emitted} == wanted


def counts(rows: DataFrame) -> DataFrame:
    return rows.groupBy("key").agg(F.count("*").alias("count"), F.sum("value").alias("total"))


def last_of_each_key(output: Output) -> set[tuple[Any, ...]]:
    return {row for row in output.upserted(1) if row[0] != "end"}


def test_the_state_of_groups(backfill: Backfill, tmp_path: Path) -> None:
    def count_and_sum(
        key: tuple[str | None], batches: Iterator[pd.DataFrame], state: GroupState
    ) -> Iterator[pd.DataFrame]:
        count, total = state.get if state.exists else (0, 0)
        for batch in batches:
            count, total = count + len(batch), total + int(batch["value"].sum())
        state.update((count, total))
        yield pd.DataFrame([(key[0], count, total)], columns=["key", "count", "total"])

    fields = "count bigint, total bigint"
    grouped = backfill.events().groupBy("key")
    result = grouped.applyInPandasWithState(count_and_sum, f"key string, {fields}", fields, "update", "NoTimeout")
    old, new = backfill.start(result, "update"), tmp_path / "new"
    state = F.struct(F.struct("count", "total").alias("groupState")).alias("value")
    Checkpoint(old).bootstrap(
        new,
        {"0-applyInPandasWithState/default": counts(backfill.history()).select(F.struct("key").alias("key"), state)},
    )
    output = backfill.go_on(result, "update", new)
    goes_on_from_all(output, backfill)


def goes_on_from_all(output: Output, backfill: Backfill) -> None:
    """Of each key that came after the history the last count and sum are those of everything."""
    came = {row.key for row in backfill.since().select("key").collect()}
    wanted = {tuple(row) for row in counts(backfill.everything()).collect() if row.key in came}
    assert last_of_each_key(output) == wanted


@pytest.mark.parametrize(
    ("form", "mode"), [(PANDAS, "none"), (ROWS, "eventTime")], ids=["pandas", "rows, timers that are not set"]
)
def test_a_value_of_transform_with_state(backfill: Backfill, tmp_path: Path, form: Form, mode: str) -> None:
    result = form.run(backfill.events().select("key", "time", "value").groupBy("key"), Totals(), mode)
    rows = counts(backfill.history()).select(F.struct("key").alias("key"), F.struct("count", "total").alias("value"))
    bootstrapped(backfill, tmp_path / "new", result, "totals", rows)
    goes_on_from_all(backfill.go_on(result, "update", tmp_path / "new"), backfill)


def bootstrapped(backfill: Backfill, new: Path, result: DataFrame, variable: str, rows: DataFrame) -> None:
    """A checkpoint with these rows for a state variable, and nothing in the others."""
    old = backfill.start(result, "update")
    tables = [table.path for table in Checkpoint(old).export(new.with_name("none"), dry_run=True).tables]
    Checkpoint(old).bootstrap(new, {next(table for table in tables if table.endswith(f"/{variable}")): rows})


def test_a_map_of_transform_with_state(backfill: Backfill, tmp_path: Path) -> None:
    result = ROWS.run(backfill.events().select("key", "id", "value").groupBy("key"), TotalsInMap(), "none")
    parts = backfill.history().groupBy("key", F.expr("id % 3").alias("part"))
    counted = parts.agg(F.count("*").alias("count"), F.sum("value").alias("total"))
    key = F.struct(F.struct("key").alias("key"), F.struct("part").alias("userKey")).alias("key")
    rows = counted.select(key, F.struct("count", "total").alias("value"))
    bootstrapped(backfill, tmp_path / "new", result, "totals", rows)
    goes_on_from_all(backfill.go_on(result, "update", tmp_path / "new"), backfill)


DAY_MILLIS = 24 * 60 * 60 * 1000


def count_until_timeout(
    key: tuple[str | None], batches: Iterator[pd.DataFrame], state: GroupState
) -> Iterator[pd.DataFrame]:
    """Counts and adds up, and tells it a day after the last of them."""
    count, total, last = state.get if state.exists else (0, 0, 0)
    if state.hasTimedOut:
        state.remove()
        yield pd.DataFrame([(key[0], count, total)], columns=["key", "count", "total"])
        return
    for batch in batches:
        count, total = count + len(batch), total + int(batch["value"].sum())
        last = max(last, int(batch["millis"].max()))
    state.update((count, total, last))
    state.setTimeoutTimestamp(last + DAY_MILLIS)


def test_groups_whose_timeout_is_in_event_time(backfill: Backfill, tmp_path: Path) -> None:
    """A column of its own, in milliseconds, has it."""
    timed = backfill.events().withColumn("millis", F.unix_millis("time")).groupBy("key")
    fields = "count bigint, total bigint, last bigint"
    result = timed.applyInPandasWithState(
        count_until_timeout, "key string, count bigint, total bigint", fields, "append", "EventTimeTimeout"
    )
    old, new = backfill.start(result, "append"), tmp_path / "new"
    last = F.unix_millis(F.max("time")).alias("last")
    # One key does not come again.
    history = backfill.history().withColumn("key", F.expr("if(id % 10 = 0, 'before', key)"))
    counted = history.groupBy("key").agg(F.count("*").alias("count"), F.sum("value").alias("total"), last)
    timeout = (F.col("last") + DAY_MILLIS).alias("timeoutTimestamp")
    value = F.struct(F.struct("count", "total", "last").alias("groupState"), timeout).alias("value")
    rows = counted.select(F.struct("key").alias("key"), value)
    Checkpoint(old).bootstrap(new, {"0-applyInPandasWithState/default": rows})
    emitted = backfill.go_on(result, "append", new).rows()
    assert_same_rows(emitted, counts(history.union(backfill.since())))


def test_state_that_was_exported_goes_in_again(backfill: Backfill, spark: SparkSession, tmp_path: Path) -> None:
    result = columns(per_key_and_hour(backfill.events()))
    old = backfill.start(result, "update")
    backfill.go_on(result, "update", old)
    exported = Checkpoint(old).export(tmp_path / "tables")
    new = tmp_path / "new"
    folder = str(tmp_path / "tables" / AGGREGATION)
    assert main(["bootstrap", str(new), "--like", str(old), "--table", f"{AGGREGATION}={folder}"]) == 0
    assert Checkpoint(new).export(tmp_path / "again").rows == exported.rows
    rows = [spark.read.parquet(str(tmp_path / each / AGGREGATION)) for each in ("tables", "again")]
    assert rows[0].exceptAll(rows[1]).count() == 0


class TestRefusals:
    @pytest.fixture
    def old(self, backfill: Backfill) -> Path:
        counted = backfill.events().groupBy("key").count()
        return backfill.start(counted, "update")

    def refused(self, old: Path, tables: dict[str, DataFrame | str], why: str) -> None:
        new = old.with_name("refused")
        with pytest.raises(Misuse, match=why):
            Checkpoint(old).bootstrap(new, tables)
        assert not (new / "metadata").exists()

    def test_a_key_that_comes_twice(self, old: Path, spark: SparkSession) -> None:
        rows = spark.sql("SELECT struct('a' key) key, struct(id count) value FROM range(2)")
        self.refused(old, {AGGREGATION: rows}, r"a key twice: \(a\).*stateStoreSave")

    def test_other_columns(self, old: Path, spark: SparkSession) -> None:
        for key, value in (
            ("struct('a' key)", "struct(1 count)"),
            ("struct('a' other)", "struct(1L count)"),
            ("'a'", "struct(1L count)"),
        ):
            rows = spark.sql(f"SELECT {key} key, {value} value")
            self.refused(
                old, {AGGREGATION: rows}, "has a column (key|value) struct<.*and the rows have .*as parquet or orc"
            )
        self.refused(old, {AGGREGATION: spark.sql("SELECT struct('a' key) key")}, "the rows have none")

    def test_tables_that_are_not_there(self, old: Path, spark: SparkSession) -> None:
        self.refused(old, {}, "No table")
        self.refused(old, {"1-dedupe/default": spark.range(1).toDF("key")}, "no table 1-dedupe/default")

    def test_a_join(self, spark: SparkSession, tmp_path: Path) -> None:
        sides, join = Sides(tmp_path / "events"), within_half_an_hour("inner")
        sides.add(hour(0, first_id=0), hour(0, first_id=10_000))
        run_to_end(Output().writer(join(*sides.streams(spark)), "append"), str(tmp_path / "join"))
        table = Checkpoint(tmp_path / "join").export(tmp_path / "tables").tables[0]
        with pytest.raises(Unsupported, match="both sides of a join"):
            Checkpoint(tmp_path / "join").bootstrap(
                tmp_path / "new", {table.path: str(tmp_path / "tables" / table.path)}
            )

    def test_a_dry_run_writes_nothing(self, old: Path, spark: SparkSession, tmp_path: Path) -> None:
        rows: dict[str, Any] = {AGGREGATION: spark.sql("SELECT struct('a' key) key, struct(1L count) value")}
        Checkpoint(old).bootstrap(tmp_path / "new", rows, dry_run=True)
        assert not (tmp_path / "new").exists()

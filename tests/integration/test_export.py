"""A checkpoint's state as tables has every row of every operator, whichever provider kept it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.ml.functions import array_to_vector
from pyspark.ml.linalg import Vectors
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.state import GroupStateTimeout
from pyspark.sql.types import StructType
from tests.conftest import IS_WHOLE
from tests.integration import test_group_state
from tests.integration.logics import EveryOperation
from tests.integration.minors import MINOR, require_join_state_format
from tests.integration.moves import PROVIDER, SetConf
from tests.integration.processors import Form
from tests.integration.state_model import Model
from tests.integration.streams import Event, EventFiles, Job, Output, hours_of_events, run_to_end, run_with_restarts
from tests.integration.test_join import STATE_FORMAT, STATE_FORMAT_4_ENABLED, Sides, hour, same_key
from tests.integration.test_transform_with_state import (
    AVRO,
    ENCODING_KEY,
    PANDAS,
    ROWS,
    UNSAFE_ROW,
    by_key,
    operations,
    run_one_batch,
)
from tests.integration.verification import FORMAT

from rockstate import Checkpoint
from rockstate.launch.versions import is_since
from rockstate.moving.export import Export
from rockstate.moving.move import PROVIDERS

HOURS = 3
TEN_MINUTES = 600_000

FORMS = [(PANDAS, UNSAFE_ROW), *([(ROWS, AVRO)] if IS_WHOLE else [])]
WITH_FAMILIES = ["rockstate", "rocksdb"] if IS_WHOLE else ["rockstate"]
with_families = pytest.mark.parametrize("provider", WITH_FAMILIES, indirect=True)


@pytest.fixture(params=["rockstate", "rocksdb", "hdfs"])
def provider(request: pytest.FixtureRequest, with_conf: SetConf) -> str:
    with_conf(PROVIDER, PROVIDERS[request.param])
    if request.param != "rockstate":
        with_conf(FORMAT, "1")
    return str(request.param)


@pytest.fixture
def files(tmp_path: Path) -> EventFiles:
    return EventFiles(tmp_path / "events")


class Tables:
    """An export, read back by its manifest."""

    def __init__(self, spark: SparkSession, exported: Export) -> None:
        self._spark, self._out = spark, Path(exported.out)
        self.manifest = json.loads((self._out / "manifest.json").read_text(encoding="utf-8"))
        self.of = {(table["store"], table["family"]): table for table in self.manifest["tables"]}
        assert len(self.of) == len(exported.tables)
        assert not list(self._out.glob("*unfinished*"))

    def read(self, family: str = "default", store: str = "default") -> DataFrame:
        """The table, which is as the manifest says."""
        table = self.of[store, family]
        folder = self._out / table["path"]
        rows = self._spark.read.format(self.manifest["format"]).load(str(folder))
        assert rows.schema == StructType.fromJson(table["schema"])
        sizes = [file.stat().st_size for file in folder.iterdir() if not file.name.startswith(".")]
        assert (rows.count(), len(sizes), sum(sizes)) == (table["rows"], table["files"], table["bytes"])
        return rows

    def rows(self, *columns: str, family: str = "default", store: str = "default") -> Counter[Any]:
        return Counter(tuple(row) for row in self.read(family, store).selectExpr(*columns).collect())


def export(spark: SparkSession, checkpoint: str, out: Path, **options: Any) -> Tables:
    return Tables(spark, Checkpoint(checkpoint).export(out, **options))


def run(spark: SparkSession, files: EventFiles, checkpoint: str, result: Callable[[DataFrame], DataFrame]) -> Output:
    """Some hours of events, and a restart after each."""
    return run_with_restarts(spark, files, hours_of_events(HOURS, per_hour=50), Job(result, "update", checkpoint), 1)


def events() -> list[Event]:
    return [event for each in hours_of_events(HOURS, per_hour=50) for event in each]


def as_spark_reads_it(checkpoint: str, *columns: str, **options: Any) -> Counter[Any]:
    return Counter(tuple(row) for row in Checkpoint(checkpoint).rows(**options).selectExpr(*columns).collect())


@pytest.mark.usefixtures("provider")
def test_an_aggregation_of_nested_columns(
    spark: SparkSession, files: EventFiles, checkpoint: str, tmp_path: Path
) -> None:
    def nested(stream: DataFrame) -> DataFrame:
        odd = F.struct("key", F.array(F.col("id") % 2).alias("odd"))
        return (
            stream.withColumn("which", odd).groupBy("which").agg(F.sum("value"), F.sum("id"), F.count("*").alias("SUM"))
        )

    run(spark, files, checkpoint, nested)
    wanted: dict[Any, list[int]] = {}
    for event in events():
        sums = wanted.setdefault((event["key"], event["id"] % 2), [0, 0, 0])
        for n, more in enumerate((event["value"], event["id"], 1)):
            sums[n] += more
    tables = export(spark, checkpoint, tmp_path / "out")
    columns = ("key.which.key", "key.which.odd[0]", "value.sum", "value.sum_2", "value.count")
    assert tables.rows(*columns) == Counter((*key, *sums) for key, sums in wanted.items())
    places = ("to_json(key)", "partition_id")
    assert tables.rows(*places) == as_spark_reads_it(checkpoint, *places)
    assert tables.manifest["batch"] == HOURS - 1
    assert tables.manifest["query_id"] == json.loads((Path(checkpoint) / "metadata").read_text())["id"]


@with_families
@pytest.mark.usefixtures("provider")
def test_user_defined_types_stay_what_they_are(
    spark: SparkSession, files: EventFiles, checkpoint: str, tmp_path: Path
) -> None:
    def vectors(stream: DataFrame) -> DataFrame:
        vector = array_to_vector(F.array(F.col("id").cast("double")))
        return stream.groupBy("id").agg(F.first(vector))

    run(spark, files, checkpoint, vectors)
    rows = export(spark, checkpoint, tmp_path / "out").read().select("key.id", "value.first").collect()
    assert {row[0]: row[1] for row in rows} == {event["id"]: Vectors.dense([event["id"]]) for event in events()}


@pytest.mark.usefixtures("provider")
def test_state_without_a_key_or_a_value(
    spark: SparkSession, files: EventFiles, checkpoint: str, tmp_path: Path
) -> None:
    def distinct_and_counted(stream: DataFrame) -> DataFrame:
        return stream.dropDuplicates(["id"]).groupBy().count()

    run(spark, files, checkpoint, distinct_and_counted)
    exported = Checkpoint(checkpoint).export(tmp_path / "out")
    by_name = {table.operator_name: table for table in exported.tables}
    assert {name: table.left_out for name, table in by_name.items()} == {
        "stateStoreSave": (),
        "dedupe": ("value.__dummy__",),
    }
    ids, counted = (spark.read.parquet(f"{tmp_path}/out/{by_name[name].path}") for name in ("dedupe", "stateStoreSave"))
    assert sorted(row[0] for row in ids.select("key.id").collect()) == sorted(event["id"] for event in events())
    assert counted.columns == ["value", "partition_id"]
    assert counted.collect() == [Row(value=Row(count=len(events())), partition_id=0)]


@with_families
@pytest.mark.parametrize("state_format", ["2", "3", "4"])
def test_both_sides_of_a_join(
    spark: SparkSession, checkpoint: str, tmp_path: Path, with_conf: SetConf, provider: str, state_format: str
) -> None:
    if provider == "rockstate" or not is_since(MINOR, "4.3"):
        require_join_state_format(int(state_format))
    with_conf(STATE_FORMAT, state_format)
    with_conf(STATE_FORMAT_4_ENABLED, "true")
    sides = Sides(tmp_path / "events")
    for number in range(HOURS):
        sides.add(hour(number, first_id=0), hour(number, first_id=10_000))
        run_to_end(Output().writer(same_key(*sides.streams(spark)), "append"), checkpoint)
    tables = export(spark, checkpoint, tmp_path / "out")
    for side, first_id in (("left", 0), ("right", 10_000)):
        kept = [event for number in range(HOURS) for event in hour(number, first_id) if event["key"] is not None]
        columns = ("key.field0", f"value.{side}_id", f"value.{side}_value")

        def of(what: str, *columns: str, side: str = side) -> Counter[Any]:
            place = {"family": f"{side}-{what}"} if state_format != "2" else {"store": f"{side}-{what}"}
            return Counter(row for row in tables.rows(*columns, **place).elements() if row[0] is not None)

        values = "keyWithTsToValues" if state_format == "4" else "keyWithIndexToValue"
        assert of(values, *columns) == Counter((event["key"], event["id"], event["value"]) for event in kept)
        if state_format == "4":
            times = Counter(of(values, "key").elements())
            assert of(values, "key", "position") == Counter((*key, n) for key in times for n in range(times[key]))
        else:
            assert of("keyToNumValues", "key.field0", "value.value") == Counter(
                Counter(event["key"] for event in kept).items()
            )


@pytest.mark.usefixtures("provider")
def test_the_state_of_groups(spark: SparkSession, files: EventFiles, checkpoint: str, tmp_path: Path) -> None:
    batches, wanted = hours_of_events(HOURS, per_hour=15, keys=12), test_group_state.Counts()
    for batch in batches:
        test_group_state.model(batch, wanted, with_timeout=False)
    timeout = GroupStateTimeout.NoTimeout
    job = Job(lambda stream: test_group_state.by_key(stream, timeout), test_group_state.MODES[timeout], checkpoint)
    run_with_restarts(spark, files, batches, job, 1)
    rows = export(spark, checkpoint, tmp_path / "out").rows("key.key", "value.groupState.*")
    assert rows == Counter((key, *counts) for key, counts in wanted.items())


def after_every_operation(spark: SparkSession, files: EventFiles, checkpoint: str, form: Form) -> Model:
    """What there is in the state of some batches whose TTL is not over."""
    logic, output = EveryOperation(TEN_MINUTES), Output()
    model = Model(logic)
    for batch in range(HOURS):
        files.add(operations(batch, count=60, keys=6))
        grouped = files.stream(spark).select("key", "id", "value").groupBy("key")
        run_one_batch(form.run(grouped, logic, "processingTime"), output, checkpoint)
        now = max(row[0] for row in output.batches[batch] if row[0] is not None)
        model.run(by_key(operations(batch, count=60, keys=6)), now)
    return model


@with_families
@pytest.mark.usefixtures("provider")
@pytest.mark.parametrize(("form", "encoding"), FORMS, ids=["pandas", "rows, Avro"][: len(FORMS)])
def test_state_variables_timers_and_ttl(
    spark: SparkSession, checkpoint: str, tmp_path: Path, with_conf: SetConf, form: Form, encoding: str
) -> None:
    with_conf(ENCODING_KEY, encoding)
    model = after_every_operation(spark, EventFiles(tmp_path / "events"), checkpoint, form)
    tables = export(spark, checkpoint, tmp_path / "out")

    def of(family: str, *columns: str) -> Counter[Any]:
        return tables.rows(*columns, family=family)

    def known(variable: str, *parts: str) -> Counter[Any]:
        """Key, place where it counts, value, and the end of its TTL where it has one."""
        return Counter(
            (key, *((place,) if "position" in parts else place if "place" in parts else ()), *value, *ends)
            for key, place, value, end in model.entries(variable)
            for ends in [(end,) if "end" in parts else ()]
        )

    end, in_map = "value.ttlExpirationMs", ("key.key.key", "key.userKey.k")
    assert of("value", "key.key", "value.n") == known("value")
    assert of("list", "key.key", "position", "value.n") == known("list", "position")
    assert of("map", *in_map, "value.n") == known("map", "place")
    assert of("short_value", "key.key", "value.value.n", end) == known("short_value", "end")
    assert of("short_list", "key.key", "position", "value.value.n", end) == known("short_list", "position", "end")
    assert of("short_map", *in_map, "value.value.n", end) == known("short_map", "place", "end")
    ends = Counter((key, at) for key, _, _, at in model.entries("short_value"))
    assert of("$ttl_short_value", "key.elementKey.key", "key.expirationMs") == ends
    timers = Counter((key, at) for key, ats in model.timers().items() for at in ats)
    for family in ("$procTimers_keyToTimestamp", "$procTimers_timestampToKey"):
        assert of(family, "key.key.key", "key.expiryTimestampMs") == timers
    assert all((ends, timers, known("list"), known("short_list"), known("map")))
    assert "$count_short_list" in {table["family"] for table in tables.manifest["tables"] if table["is_internal"]}

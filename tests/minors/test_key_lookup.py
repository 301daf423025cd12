"""A key is looked up in the partition that the query's shuffle sends it to, with the same rows as if all were read."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType
from tests.integration.minors import MINOR
from tests.minors.golden_queries import GOLDEN, PLACE, WITH_PATHS

from rockstate import Checkpoint, Misuse
from rockstate.inspection.state_source import of_key
from rockstate.launch.versions import is_since

PARTITIONS = 2
IS_PLACED = is_since(MINOR, "4.2")  # Spark says how an operator's rows are spread
#: Golden checkpoints with what Spark's state data source wants to be told of them.
QUERIES: dict[str, dict[str, Any]] = {
    "aggregation-f1": {},
    "deduplication-by-columns-f2": {},
    "join-f1": {"joinSide": "left"},
    "join-in-format-3-f2": {"joinSide": "right"},
    "transform-with-timers-f2": {"stateVarName": "count"},
    "transform-with-ttl-f2": {"stateVarName": "map"},
}
THERE = [name for name in QUERIES if (GOLDEN / MINOR / name).is_dir() and (MINOR != "4.0" or name.endswith("f1"))]


def copied(name: str, folder: Path) -> Checkpoint:
    checkpoint = Path(shutil.copytree(GOLDEN / MINOR / name, folder / "checkpoint"))
    for file in checkpoint.glob(WITH_PATHS):
        file.write_text(file.read_text(encoding="utf-8").replace(PLACE, f"file:{checkpoint}"), encoding="utf-8")
    return Checkpoint(checkpoint)


def columns_of(struct: StructType) -> list[str]:
    """The names of a key's columns, those within another as `window.start`."""
    names = []
    for field in struct:
        within = columns_of(field.dataType) if isinstance(field.dataType, StructType) else []
        names += [f"{field.name}.{name}" for name in within] or [field.name]
    return names


def rows_by_key(rows: DataFrame) -> dict[tuple[str | None, ...], Counter[str]]:
    """The rows, by the columns of their key as text."""
    key = rows.schema["key"].dataType
    assert isinstance(key, StructType)
    texts = [F.col(f"key.{name}").cast("string") for name in columns_of(key)]
    found: dict[tuple[str | None, ...], Counter[str]] = {}
    for row in rows.select("*", F.array(*texts).alias("text")).collect():
        found.setdefault(tuple(row["text"]), Counter())[repr(row)] += 1
    return found


def keys(rows: DataFrame, found: Iterable[tuple[str | None, ...]]) -> list[dict[str, int | str]]:
    """Three of the keys that were found, as they are asked for."""
    key = rows.schema["key"].dataType
    assert isinstance(key, StructType)
    whole = [[text for text in texts if text is not None] for texts in found if None not in texts]
    return [dict(zip(columns_of(key), texts, strict=True)) for texts in whole[:3]]


@pytest.mark.parametrize("name", THERE)
def test_every_key_is_found_with_its_rows_in_one_partition(spark: SparkSession, tmp_path: Path, name: str) -> None:
    checkpoint, options = copied(name, tmp_path), QUERIES[name]
    everything = checkpoint.rows(**options)
    assert everything.rdd.getNumPartitions() == PARTITIONS
    whole = rows_by_key(everything)
    asked = keys(everything, whole)
    assert asked
    for key in asked:
        found = checkpoint.rows(key=key, **options)
        assert rows_by_key(found) == {tuple(key.values()): whole[tuple(map(str, key.values()))]}
        assert found.rdd.getNumPartitions() == (1 if IS_PLACED else PARTITIONS)


def test_a_key_that_is_not_there_is_looked_for_in_one_partition(spark: SparkSession) -> None:
    found = Checkpoint(GOLDEN / MINOR / "deduplication-f1").rows(key={"id": 4711_4711})
    assert found.count() == 0
    assert found.rdd.getNumPartitions() == (1 if IS_PLACED else PARTITIONS)


def test_changes_of_a_key(spark: SparkSession) -> None:
    checkpoint = Checkpoint(GOLDEN / MINOR / "deduplication-f1")
    everything = checkpoint.changes(0)
    (one,) = everything.select("key.id").take(1)
    found = checkpoint.changes(0, key={"id": one.id})
    assert found.collect() == everything.where(F.col("key.id") == one.id).collect()
    assert found.rdd.getNumPartitions() == (1 if IS_PLACED else PARTITIONS)


def test_a_key_that_is_not_whole_is_looked_for_everywhere(spark: SparkSession) -> None:
    if MINOR == "4.0":
        pytest.skip("Spark 4.0 cannot read state in format 2: StatePartitionReader")
    found = Checkpoint(GOLDEN / MINOR / "deduplication-by-columns-f2").rows(key={"c0": "0"})
    assert found.rdd.getNumPartitions() == PARTITIONS


def test_a_key_written_another_way_is_found_in_one_partition_too(spark: SparkSession) -> None:
    ids, windows = (Checkpoint(GOLDEN / MINOR / name) for name in ("deduplication-f1", "aggregation-f1"))
    (number,) = ids.rows().select("key.id").take(1)
    found = ids.rows(key={"id": f"+00{number.id}"})
    assert [row.key.id for row in found.collect()] == [number.id]
    assert found.rdd.getNumPartitions() == (1 if IS_PLACED else PARTITIONS)
    columns = ("window.start", "window.end", "_groupingexpression")
    asked = F.array(*(F.col(f"key.{column}").cast("string") for column in columns))
    (one,) = windows.rows().where("key._groupingexpression IS NOT NULL").select(asked.alias("asked")).take(1)
    key = {column: text.replace(" ", "T") for column, text in zip(columns, one.asked, strict=True)}
    found = windows.rows(key=key)
    assert found.select(asked.alias("asked")).collect() == [one]
    assert found.rdd.getNumPartitions() == (1 if IS_PLACED else PARTITIONS)


@pytest.mark.parametrize(
    ("kind", "value", "written"),
    [
        ("int", "7", ["7", "007", " 7"]),
        ("double", "1.0", ["1", "1.0", "1e0"]),
        ("double", "0.0", ["0", "-0.0"]),
        ("double", "NaN", ["NaN", "nan"]),
        ("decimal(10,2)", "5", ["5", "5.00", "5.0"]),
        ("boolean", "true", ["true", "TRUE", "t"]),
        ("date", "2026-01-05", ["2026-01-05", "2026-1-5"]),
        ("timestamp", "2026-01-05 00:00:00", ["2026-01-05 00:00:00", "2026-01-05T00:00", "2026-01-05"]),
        ("timestamp_ntz", "2026-01-05 00:00:00", ["2026-01-05T00:00:00.000"]),
        ("binary", "ab", ["ab"]),
        ("string", "007", ["007"]),
        ("struct<a:int,b:string>", None, ["{7, x}"]),
    ],
)
def test_a_value_is_one_of_the_columns_type_however_it_is_written(
    spark: SparkSession, kind: str, value: str | None, written: list[str]
) -> None:
    text = "named_struct('a', 7, 'b', 'x')" if value is None else f"'{value}'"
    rows = spark.sql(f"SELECT named_struct('k', CAST(k AS {kind})) AS key FROM VALUES ({text}), (NULL) AS t(k)")
    for each in written:
        assert of_key(rows, "/nowhere", {"operatorId": 0, "storeName": "default"}, {"k": each}).count() == 1, each


def test_a_value_of_another_type_is_an_error(spark: SparkSession) -> None:
    with pytest.raises(Misuse, match=r"The key's column id is of type bigint, and 'one' is not\. Give .*<id:bigint>"):
        Checkpoint(GOLDEN / MINOR / "deduplication-f1").rows(key={"id": "one"})


def test_a_column_that_is_not_there_is_an_error_with_those_that_are(spark: SparkSession) -> None:
    with pytest.raises(Misuse, match="key:struct<id:bigint>"):
        Checkpoint(GOLDEN / MINOR / "deduplication-f1").rows(key={"word": "be"})

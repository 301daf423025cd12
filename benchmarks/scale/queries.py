"""Small queries over a folder of text files, one file for each batch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 200
KEYS = 1_000
_START = 1_700_000_000  # seconds since 1970
_JOIN = "spark.sql.streaming.join."

# Spark's Python workers cannot import the benchmarks.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Query:
    """A query, its output mode, how many stores a partition has, and confs of its own."""

    name: str
    build: Callable[[SparkSession, Path], DataFrame]
    output_mode: str
    stores: int
    confs: Mapping[str, str] = field(default_factory=dict)


def write_batch(folder: Path, batch: int) -> None:
    """Rows `key time` of one batch, each a second after those of the batch before; the name appears at once."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(f"{(batch * ROWS + n) * 7 % KEYS} {_START + batch}" for n in range(ROWS))
    hidden = folder / f".{batch:05d}"
    hidden.write_text(lines + "\n", "utf-8")
    hidden.rename(folder / f"{batch:05d}.txt")


class Counter(StatefulProcessor):
    """A key's rows so far."""

    def init(self, handle: Any) -> None:
        self._count = handle.getValueState("count", "count long")

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Any]:
        from pyspark.sql import Row

        count = (self._count.get() or (0,))[0] + sum(1 for _ in rows)
        self._count.update((count,))
        yield Row(key=key[0], count=count)


def _rows(spark: SparkSession, folder: Path) -> DataFrame:
    lines = spark.readStream.option("maxFilesPerTrigger", "1").text(str(folder))
    return lines.selectExpr(
        "CAST(split(value, ' ')[0] AS long) AS key", "timestamp_seconds(CAST(split(value, ' ')[1] AS long)) AS at"
    )


def _aggregation(spark: SparkSession, folder: Path) -> DataFrame:
    return _rows(spark, folder).groupBy("key").count()


def _join(spark: SparkSession, folder: Path) -> DataFrame:
    from pyspark.sql import functions as F

    left = _rows(spark, folder).withWatermark("at", "10 seconds").selectExpr("key AS k", "at AS left_at")
    right = _rows(spark, folder).withWatermark("at", "10 seconds")
    return left.join(right, F.expr("k = key AND at >= left_at AND at <= left_at + INTERVAL 5 SECONDS"))


def _transform(spark: SparkSession, folder: Path) -> DataFrame:
    grouped = _rows(spark, folder).groupBy("key")
    return grouped.transformWithState(Counter(), "key long, count long", "Update", "none")


QUERIES = (
    Query("aggregation", _aggregation, "update", stores=1),
    Query("join", _join, "append", stores=4),
    Query(
        "join_4",
        _join,
        "append",
        stores=1,
        confs={_JOIN + "stateFormatVersion": "4", _JOIN + "stateFormatV4.enabled": "true"},
    ),
    Query("transform_with_state", _transform, "update", stores=1),
)

"""What both forms of transformWithState are asked: rows and amounts per key, ten rows of a key in a batch.

A key has one value, read and written once a batch. A tenth as many keys again get no more rows; an event-time timer of
theirs fires half-way and clears them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from benchmarks.pyspark._arrivals import START, Arrivals
from benchmarks.pyspark._question import Sizes, state_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark's Python workers cannot import the benchmarks.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

COLUMNS = "key long, hits long, total long, is_over boolean"
_ROWS_PER_KEY = 10


class CountsOfKeys(StatefulProcessor):
    """Counts a key's rows; `idle_until` is when keys from `keys` on are over, in milliseconds since 1970."""

    def __init__(self, keys: int, idle_until: int) -> None:
        self._keys = keys
        self._idle_until = idle_until

    def init(self, handle: Any) -> None:
        self._handle = handle
        self._counts = handle.getValueState("counts", "hits long, total long")

    def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Iterator[Any]:
        number = int(key[0])
        hits, total = self._counts.get() or (0, 0)
        for more_hits, more_total in self.sums(rows):
            hits += more_hits
            total += more_total
        self._counts.update((hits, total))
        if number >= self._keys:
            self._handle.registerTimer(self._idle_until)
        yield self.row(number, hits, total, False)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Any]:
        hits, total = self._counts.get()
        self._counts.clear()
        yield self.row(int(key[0]), hits, total, True)

    def sums(self, rows: Any) -> Iterable[tuple[int, int]]:
        """Rows and amount of each piece of the input."""
        raise NotImplementedError

    def row(self, key: int, hits: int, total: int, is_over: bool) -> Any:
        """One row of the output."""
        raise NotImplementedError


def processor(form: type[CountsOfKeys], sizes: Sizes) -> CountsOfKeys:
    return form(sizes.keys, (START + sizes.half_way) * 1000 - 500)


def hits(spark: SparkSession, sizes: Sizes) -> DataFrame:
    """The stream, with a watermark."""
    return _with_keys(_arrivals(sizes).stream(spark), sizes).withWatermark("arrived", "0 seconds")


def expected(spark: SparkSession, sizes: Sizes) -> DataFrame:
    """What comes out of each batch."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    so_far = Window.partitionBy("key").orderBy("batch")
    by_batch = _all_hits(spark, sizes).groupBy("batch", "key").agg(*_totals())
    running = by_batch.select(
        "batch", "key", F.sum("hits").over(so_far).alias("hits"), F.sum("total").over(so_far).alias("total")
    )
    over = _all_hits(spark, sizes).where(f"key >= {sizes.keys}").groupBy("key").agg(*_totals())
    # A batch sees the watermark of the one before.
    return running.selectExpr("*", "false AS is_over").unionByName(
        over.selectExpr(f"{sizes.half_way + 1}L AS batch", "*", "true AS is_over")
    )


def state(spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
    """The value of each key, as it is and as it must be."""
    rows = state_rows(spark, checkpoint, sizes, stateVarName="counts")
    actual = rows.selectExpr("key.key AS key", "value.hits AS hits", "value.total AS total")
    return {"counts": (actual, _all_hits(spark, sizes).where(f"key < {sizes.keys}").groupBy("key").agg(*_totals()))}


def _arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys + sizes.keys // 10, sizes.rows)


def _with_keys(arrivals: DataFrame, sizes: Sizes) -> DataFrame:
    """Rows that follow each other belong to the same key."""
    key = f"pmod(xxhash64(id DIV {_ROWS_PER_KEY}), {sizes.keys}L)"
    return arrivals.selectExpr("*", f"IF(id < 0, -1L - id, {key}) AS key", "pmod(id, 1000L) AS amount")


def _all_hits(spark: SparkSession, sizes: Sizes) -> DataFrame:
    return _with_keys(_arrivals(sizes).until(spark, sizes.last), sizes)


def _totals() -> list[Any]:
    from pyspark.sql import functions as F

    return [F.count("*").alias("hits"), F.sum("amount").alias("total")]

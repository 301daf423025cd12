"""Rows that follow each other belong to the same key, as a stream, and what counting them must answer.

A tenth as many keys again get no more rows; half-way they are over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.pyspark._arrivals import START, Arrivals
from benchmarks.pyspark._question import Sizes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COLUMNS = "key long, hits long, total long, is_over boolean"
STATE_COLUMNS = "hits long, total long"


@dataclass(frozen=True)
class Hits:
    """So many rows of a key in a batch, `per_key`."""

    per_key: int

    def stream(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        """With a watermark."""
        return self._with_keys(_arrivals(sizes).stream(spark), sizes).withWatermark("arrived", "0 seconds")

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        """What comes out of each batch."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        so_far = Window.partitionBy("key").orderBy("batch")
        by_batch = self._all(spark, sizes).groupBy("batch", "key").agg(*_totals())
        running = by_batch.select(
            "batch", "key", F.sum("hits").over(so_far).alias("hits"), F.sum("total").over(so_far).alias("total")
        )
        over = self._all(spark, sizes).where(f"key >= {sizes.keys}").groupBy("key").agg(*_totals())
        # A batch sees the watermark of the one before.
        return running.selectExpr("*", "false AS is_over").unionByName(
            over.selectExpr(f"{sizes.half_way + 1}L AS batch", "*", "true AS is_over")
        )

    def left(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        """The counts of the keys that are not over."""
        return self._all(spark, sizes).where(f"key < {sizes.keys}").groupBy("key").agg(*_totals())

    def _all(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        return self._with_keys(_arrivals(sizes).until(spark, sizes.last), sizes)

    def _with_keys(self, arrivals: DataFrame, sizes: Sizes) -> DataFrame:
        key = f"pmod(xxhash64(id DIV {self.per_key}), {sizes.keys}L)"
        return arrivals.selectExpr("*", f"IF(id < 0, -1L - id, {key}) AS key", "pmod(id, 1000L) AS amount")


def idle_until(sizes: Sizes) -> int:
    """When the keys from `sizes.keys` on are over, in milliseconds since 1970."""
    return (START + sizes.half_way) * 1000 - 500


def _arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys + sizes.keys // 10, sizes.rows)


def _totals() -> list[Any]:
    from pyspark.sql import functions as F

    return [F.count("*").alias("hits"), F.sum("amount").alias("total")]

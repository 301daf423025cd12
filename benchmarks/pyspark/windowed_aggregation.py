"""Counts, sums and maxima per key and hour, with a watermark: every batch updates random keys of an open hour.

A tenth as many keys again belong to the hour before, which closes half-way.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.pyspark._arrivals import START, Arrivals
from benchmarks.pyspark._command import main
from benchmarks.pyspark._question import Sizes, state_rows

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

OPEN_HOUR = 444_445 * 3600  # seconds since 1970
DELAY = 1200  # seconds of the watermark; there are fewer batches
_KEYS = ("hour", "key")


class WindowedAggregation:
    """Windowed aggregation over keys in random order."""

    name = "windowed_aggregation"
    default_keys = 500_000
    output_mode = "update"

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        from pyspark.sql import functions as F

        hits = self._hits(_arrivals(sizes).stream(spark), sizes).withWatermark("at", f"{DELAY} seconds")
        counted = hits.groupBy(F.window("at", "1 hour"), "key").agg(*_aggregates())
        return counted.selectExpr("window.start AS hour", "key", "hits", "total", "most")

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        by_batch = self._by_hour(spark, sizes).groupBy("batch", *_KEYS).agg(*_aggregates())
        so_far = Window.partitionBy(*_KEYS).orderBy("batch")
        totals = [
            function(name).over(so_far).alias(name)
            for name, function in (("hits", F.sum), ("total", F.sum), ("most", F.max))
        ]
        return by_batch.select("batch", *_KEYS, *totals)

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        actual = state_rows(spark, checkpoint, sizes).selectExpr(
            "key.window.start AS hour",
            "key.key AS key",
            "value.count AS hits",
            "value.sum AS total",
            "value.max AS most",
        )
        open_hour = self._by_hour(spark, sizes).where(f"hour >= timestamp_seconds({OPEN_HOUR})")
        return {"state": (actual, open_hour.groupBy(*_KEYS).agg(*_aggregates()))}

    def _by_hour(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        hits = self._hits(_arrivals(sizes).until(spark, sizes.last), sizes)
        return hits.selectExpr("batch", "window(at, '1 hour').start AS hour", "key", "amount")

    def _hits(self, arrivals: DataFrame, sizes: Sizes) -> DataFrame:
        """The watermark reaches the open hour's start, which is the other's end, half-way."""
        shift = OPEN_HOUR + DELAY - sizes.half_way - START
        return arrivals.selectExpr(
            "*",
            f"CASE WHEN id >= 0 THEN pmod(xxhash64(id), {sizes.keys}L) ELSE -1L - id END AS key",
            f"timestamp_seconds(unix_seconds(arrived) + {shift} - IF(id < -{sizes.keys}L, 3600, 0)) AS at",
            "pmod(id, 1000L) AS amount",
        )


def _aggregates() -> list[Column]:
    from pyspark.sql import functions as F

    return [F.count("*").alias("hits"), F.sum("amount").alias("total"), F.max("amount").alias("most")]


def _arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys + sizes.keys // 10, sizes.rows)


if __name__ == "__main__":
    sys.exit(main(WindowedAggregation()))

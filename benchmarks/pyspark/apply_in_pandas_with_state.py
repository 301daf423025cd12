"""applyInPandasWithState: rows and amounts per key, fifty rows of a key in a batch, with event-time timeouts.

A tenth as many keys again get no more rows and time out half-way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.pyspark._arrivals import START, Arrivals
from benchmarks.pyspark._command import main
from benchmarks.pyspark._question import Sizes, state_rows

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.state import GroupState

_ROWS_PER_KEY = 50
_NEVER = 2_000_000_000_000  # milliseconds since 1970


class ApplyInPandasWithState:
    """State kept by a Python function."""

    name = "apply_in_pandas_with_state"
    default_keys = 10_000
    output_mode = "update"

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        hits = _hits(_arrivals(sizes).stream(spark), sizes).withWatermark("arrived", "0 seconds")
        return hits.groupBy("key").applyInPandasWithState(
            _counter(sizes.keys, (START + sizes.half_way) * 1000 - 500),
            outputStructType="key long, hits long, total long, is_over boolean",
            stateStructType="hits long, total long",
            outputMode="update",
            timeoutConf="EventTimeTimeout",
        )

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
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

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        actual = state_rows(spark, checkpoint, sizes).selectExpr(
            "key.key AS key", "value.groupState.hits AS hits", "value.groupState.total AS total"
        )
        return {"state": (actual, _all_hits(spark, sizes).where(f"key < {sizes.keys}").groupBy("key").agg(*_totals()))}


def _counter(keys: int, idle_until: int) -> Callable[[Any, Iterator[pd.DataFrame], GroupState], Iterator[pd.DataFrame]]:
    """A function for groups; those from `keys` on time out at `idle_until`, in milliseconds since 1970."""

    def count(group: Any, frames: Iterator[pd.DataFrame], state: GroupState) -> Iterator[pd.DataFrame]:
        import pandas as pd

        key = int(group[0])
        hits, total = state.get if state.exists else (0, 0)
        is_over = state.hasTimedOut
        if is_over:
            state.remove()
        else:
            for frame in frames:
                hits += len(frame)
                total += int(frame["amount"].sum())
            state.update((hits, total))
            state.setTimeoutTimestamp(idle_until if key >= keys else _NEVER)
        yield pd.DataFrame({"key": [key], "hits": [hits], "total": [total], "is_over": [is_over]})

    return count


def _arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys + sizes.keys // 10, sizes.rows)


def _hits(arrivals: DataFrame, sizes: Sizes) -> DataFrame:
    """Rows that follow each other belong to the same key."""
    key = f"pmod(xxhash64(id DIV {_ROWS_PER_KEY}), {sizes.keys}L)"
    return arrivals.selectExpr("*", f"IF(id < 0, -1L - id, {key}) AS key", "pmod(id, 1000L) AS amount")


def _all_hits(spark: SparkSession, sizes: Sizes) -> DataFrame:
    return _hits(_arrivals(sizes).until(spark, sizes.last), sizes)


def _totals() -> list[Any]:
    from pyspark.sql import functions as F

    return [F.count("*").alias("hits"), F.sum("amount").alias("total")]


if __name__ == "__main__":
    sys.exit(main(ApplyInPandasWithState()))

"""applyInPandasWithState: rows and amounts per key, fifty rows of a key in a batch, with event-time timeouts.

A tenth as many keys again get no more rows and time out half-way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.pyspark._command import main
from benchmarks.pyspark._hits import COLUMNS, STATE_COLUMNS, Hits, idle_until
from benchmarks.pyspark._question import Sizes, state_rows

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.state import GroupState

_HITS = Hits(per_key=50)
_NEVER = 2_000_000_000_000  # milliseconds since 1970


class ApplyInPandasWithState:
    """State kept by a Python function."""

    name = "apply_in_pandas_with_state"
    default_keys = 10_000
    output_mode = "update"

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        return (
            _HITS.stream(spark, sizes)
            .groupBy("key")
            .applyInPandasWithState(
                _counter(sizes.keys, idle_until(sizes)),
                outputStructType=COLUMNS,
                stateStructType=STATE_COLUMNS,
                outputMode="update",
                timeoutConf="EventTimeTimeout",
            )
        )

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        return _HITS.expected(spark, sizes)

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        actual = state_rows(spark, checkpoint, sizes).selectExpr(
            "key.key AS key", "value.groupState.hits AS hits", "value.groupState.total AS total"
        )
        return {"state": (actual, _HITS.left(spark, sizes))}


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


if __name__ == "__main__":
    sys.exit(main(ApplyInPandasWithState()))

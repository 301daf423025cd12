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

from benchmarks.pyspark._hits import STATE_COLUMNS, Hits, idle_until
from benchmarks.pyspark._question import Sizes, state_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark's Python workers cannot import the benchmarks.
cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]

HITS = Hits(per_key=10)


class CountsOfKeys(StatefulProcessor):
    """Counts a key's rows; `idle_until` is when keys from `keys` on are over, in milliseconds since 1970."""

    def __init__(self, keys: int, idle_until: int) -> None:
        self._keys = keys
        self._idle_until = idle_until

    def init(self, handle: Any) -> None:
        self._handle = handle
        self._counts = handle.getValueState("counts", STATE_COLUMNS)

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
    return form(sizes.keys, idle_until(sizes))


def state(spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
    """The value of each key, as it is and as it must be."""
    rows = state_rows(spark, checkpoint, sizes, stateVarName="counts")
    actual = rows.selectExpr("key.key AS key", "value.hits AS hits", "value.total AS total")
    return {"counts": (actual, HITS.left(spark, sizes))}

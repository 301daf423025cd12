"""transformWithState: a Python processor on rows, with a value for each key and timers. See _counts.py."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.pyspark import _counts
from benchmarks.pyspark._command import main
from benchmarks.pyspark._hits import COLUMNS
from benchmarks.pyspark._question import Sizes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class _Rows(_counts.CountsOfKeys):
    def sums(self, rows: Any) -> Iterable[tuple[int, int]]:
        return ((1, row.amount) for row in rows)

    def row(self, key: int, hits: int, total: int, is_over: bool) -> Any:
        from pyspark.sql import Row

        return Row(key=key, hits=hits, total=total, is_over=is_over)


class TransformWithState:
    """State kept by a Python processor."""

    name = "transform_with_state"
    default_keys = 50_000
    output_mode = "update"

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        grouped = _counts.HITS.stream(spark, sizes).groupBy("key")
        return grouped.transformWithState(_counts.processor(_Rows, sizes), COLUMNS, self.output_mode, "eventtime")

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        return _counts.HITS.expected(spark, sizes)

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        return _counts.state(spark, checkpoint, sizes)


if __name__ == "__main__":
    sys.exit(main(TransformWithState()))

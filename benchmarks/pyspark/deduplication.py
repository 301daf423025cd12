"""dropDuplicatesWithinWatermark: half of every batch is new, the other half repeats ids of earlier batches.

The state is loaded with ids of all ages, so that as many expire with every batch as are new.
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
    from pyspark.sql import DataFrame, SparkSession


class Deduplication:
    """Deduplication within a watermark."""

    name = "deduplication"
    default_keys = 500_000
    output_mode = "append"

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        events = _events(_arrivals(sizes).stream(spark), sizes)
        late = events.withWatermark("at", f"{_delay_millis(sizes)} milliseconds")
        return late.dropDuplicatesWithinWatermark(["event"]).select("event", "at")

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        return _new_events(spark, sizes).select("batch", "event", "at")

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        actual = state_rows(spark, checkpoint, sizes).selectExpr(
            "key.event AS event", "value.expiresAtMicros AS expires"
        )
        kept = _new_events(spark, sizes).selectExpr(
            "event", f"unix_micros(at) + {_delay_millis(sizes)} * 1000L AS expires"
        )
        watermark = (START + sizes.last - 1) * 1_000_000 - _delay_millis(sizes) * 1000
        return {"state": (actual, kept.where(f"expires > {watermark}"))}


def _arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys, sizes.rows)


def _events(arrivals: DataFrame, sizes: Sizes) -> DataFrame:
    """Event n >= 0 comes first in batch n DIV half + 1; loaded ones, below 0, are older by a second per half batch."""
    half = sizes.rows // 2
    place = f"pmod(id, {sizes.rows}L)"
    batch_start = f"id DIV {sizes.rows} * {half}L"
    repeated = f"{batch_start} - 1L - pmod(xxhash64(id), {sizes.keys // 2}L)"
    return arrivals.selectExpr(
        "*",
        f"CASE WHEN id < 0 THEN id WHEN {place} < {half} THEN {batch_start} + {place} ELSE {repeated} END AS event",
        f"timestamp_seconds(unix_seconds(arrived) + IF(id < 0, (id + 1) DIV {half}, 0)) AS at",
    )


def _new_events(spark: SparkSession, sizes: Sizes) -> DataFrame:
    events = _events(_arrivals(sizes).until(spark, sizes.last), sizes)
    return events.where(f"id < 0 OR pmod(id, {sizes.rows}L) < {sizes.rows // 2}")


def _delay_millis(sizes: Sizes) -> int:
    """An id expires a delay after its time, and is removed when the watermark, another delay behind, has come there.

    Half a second more, so that nothing depends on which side of a boundary belongs to it.
    """
    return sizes.keys * 1000 // sizes.rows + 500


if __name__ == "__main__":
    sys.exit(main(Deduplication()))

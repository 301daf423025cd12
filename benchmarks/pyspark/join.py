"""Inner join of two streams with watermarks and a time range: each click follows its view within a limited time.

Each stream brings half of a batch's rows, two of each key. Both sides are loaded with rows of all ages, so that as many
expire with every batch as come; a view is kept four times as long as a click.
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

_COLUMNS = ("view", "click", "viewed_at", "clicked_at")


class Join:
    """Stream-stream join, inner, with watermarks and a time range."""

    name = "join"
    default_keys = 200_000
    output_mode = "append"

    def query(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        delay = f"{_delay_millis(sizes)} milliseconds"
        views = _views(_view_arrivals(sizes).stream(spark), sizes).withWatermark("viewed_at", delay)
        clicks = _clicks(_click_arrivals(sizes).stream(spark), sizes).withWatermark("clicked_at", delay)
        return _joined(views, clicks, sizes).select(*_COLUMNS)

    def expected(self, spark: SparkSession, sizes: Sizes) -> DataFrame:
        views, clicks = _all_views(spark, sizes), _all_clicks(spark, sizes)
        joined = _joined(views.withColumnRenamed("batch", "view_batch"), clicks, sizes)
        return joined.selectExpr("greatest(batch, view_batch) AS batch", *_COLUMNS)

    def state(self, spark: SparkSession, checkpoint: str, sizes: Sizes) -> Mapping[str, tuple[DataFrame, DataFrame]]:
        # No row may come before the watermark: a click that old has met all its views, and a view that is older by the
        # range all its clicks.
        watermark = (START + sizes.last - 1) * 1000 - _delay_millis(sizes)
        sides = {
            "left": (_all_views(spark, sizes), "viewed_at", "view", watermark - _range_millis(sizes)),
            "right": (_all_clicks(spark, sizes), "clicked_at", "click", watermark),
        }
        return {
            side: (
                state_rows(spark, checkpoint, sizes, joinSide=side).select(f"value.{name}", f"value.{time}"),
                every.where(f"unix_millis({time}) >= {oldest}").select(name, time),
            )
            for side, (every, time, name, oldest) in sides.items()
        }


def _view_arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys, sizes.rows // 2)


def _click_arrivals(sizes: Sizes) -> Arrivals:
    return Arrivals(sizes.keys // 4, sizes.rows // 2)


def _views(arrivals: DataFrame, sizes: Sizes) -> DataFrame:
    return _timed(arrivals, sizes, "id AS view", "id DIV 2 AS view_key", "viewed_at")


def _clicks(arrivals: DataFrame, sizes: Sizes) -> DataFrame:
    """A click belongs to a view that came half as many rows before as are kept."""
    return _timed(arrivals, sizes, "id AS click", f"(id - {sizes.keys // 2}) DIV 2 AS click_key", "clicked_at")


def _timed(arrivals: DataFrame, sizes: Sizes, name: str, key: str, time: str) -> DataFrame:
    """Loaded rows are a second older for every half batch."""
    age = f"IF(id < 0, (id + 1) DIV {sizes.rows // 2}, 0)"
    kept = ["batch"] if "batch" in arrivals.columns else []
    return arrivals.selectExpr(*kept, name, key, f"timestamp_seconds(unix_seconds(arrived) + {age}) AS {time}")


def _joined(views: DataFrame, clicks: DataFrame, sizes: Sizes) -> DataFrame:
    from pyspark.sql import functions as F

    limit = F.expr(f"INTERVAL '{_range_millis(sizes) / 1000:.3f}' SECOND")
    in_time = (F.col("clicked_at") >= F.col("viewed_at")) & (F.col("clicked_at") <= F.col("viewed_at") + limit)
    return views.join(clicks, (F.col("view_key") == F.col("click_key")) & in_time)


def _all_views(spark: SparkSession, sizes: Sizes) -> DataFrame:
    return _views(_view_arrivals(sizes).until(spark, sizes.last), sizes)


def _all_clicks(spark: SparkSession, sizes: Sizes) -> DataFrame:
    return _clicks(_click_arrivals(sizes).until(spark, sizes.last), sizes)


def _delay_millis(sizes: Sizes) -> int:
    """A quarter of the time in which `keys` views come. Half a second more, so that no row is on a boundary."""
    return sizes.keys * 1000 // (2 * sizes.rows) + 500


def _range_millis(sizes: Sizes) -> int:
    return sizes.keys * 1000 * 3 // (2 * sizes.rows)


if __name__ == "__main__":
    sys.exit(main(Join()))

"""The queries of the golden checkpoints, and what each of their runs has to emit: a model in plain Python.

A run takes one batch of rows from a source that counts; Spark adds a batch without rows if the watermark has moved.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from tests.integration.processors import FORMS
from tests.minors.golden_processors import TIMER_MINUTES, CountedByTimer, KeptWithTtl

GOLDEN = Path(__file__).parents[1] / "golden" / "checkpoints"
GOLDEN_RUNS = 3
"""The runs that a golden checkpoint has behind it."""
WITH_PATHS, PLACE = "state/*/_metadata/v2/*", "{checkpoint}"
"""The files in which Spark names others by their whole path, and what stands for the checkpoint's folder there."""

FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"
ROW_CHECKSUMS = "spark.sql.streaming.stateStore.rowChecksum.enabled"
EMPTY_BATCHES = "spark.sql.streaming.noDataMicroBatches.enabled"
JOIN_FORMAT = "spark.sql.streaming.join.stateFormatVersion"
JOIN_FORMAT_4_ENABLED = "spark.sql.streaming.join.stateFormatV4.enabled"  # Spark 4.2 alone asks for it
KEY_ORDER = "spark.sql.dropDuplicates.deterministicKeyOrder.enabled"

START_SECONDS = 1704067200  # the first of January 2024
ROWS, MINUTES = 10, 30
"""Each batch has so many rows, of the same time; the next is so much later."""

Row = tuple[int | str | None, ...]
Stream = Callable[[], DataFrame]


@dataclass(frozen=True)
class Query:
    """A query over the source, with the confs that it begins with.

    Attributes:
        result: makes the stream of results from the source, which it may read twice.
        emitted: what the run with this number emits, the first being 0.
        run_confs: what the session needs in every run.
    """

    name: str
    result: Callable[[Stream], DataFrame]
    emitted: Callable[[int], list[Row]]
    confs: dict[str, str] = field(default_factory=dict)
    run_confs: dict[str, str] = field(default_factory=dict)

    def of(self, spark: SparkSession) -> DataFrame:
        """The stream of results."""
        return self.result(lambda: source(spark))


def source(spark: SparkSession) -> DataFrame:
    """Numbers from 0 on as `value`, ten a batch, and the batch's time."""
    reader = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", ROWS).option("numPartitions", 1)
    reader = reader.option("startTimestamp", START_SECONDS * 1000).option("advanceMillisPerBatch", MINUTES * 60_000)
    return reader.load().withColumnRenamed("timestamp", "time")


def minutes_at(time: str) -> Column:
    """The minutes from the start on."""
    return ((F.unix_timestamp(time) - START_SECONDS) / 60).cast("bigint")


def values(run: int) -> range:
    """The source's rows of a run."""
    return range(run * ROWS, (run + 1) * ROWS)


def _aggregated(stream: Stream) -> DataFrame:
    key = F.when(F.col("value") % 4 != 0, F.concat(F.lit("key-"), F.col("value") % 4)).alias("key")
    grouped = stream().withWatermark("time", "0 seconds").groupBy(F.window("time", "1 hour"), key)
    result = grouped.agg(F.count("*").alias("count"), F.sum("value").alias("sum"), F.max("value").alias("max"))
    return result.select(minutes_at("window.start").alias("start"), "key", "count", "sum", "max")


def _windows_closed(run: int) -> list[Row]:
    end = run * MINUTES  # the watermark after this run
    if end == 0 or end % 60 != 0:
        return []
    groups = defaultdict(list)
    for earlier in range(run):
        if end - 60 <= earlier * MINUTES < end:
            for value in values(earlier):
                groups[f"key-{value % 4}" if value % 4 else None].append(value)
    return [(end - 60, key, len(group), sum(group), max(group)) for key, group in groups.items()]


def _first_of_each(stream: Stream) -> DataFrame:
    ids = stream().select("time", (F.col("value") % 25).alias("id"))
    firsts = ids.withWatermark("time", "30 minutes").dropDuplicatesWithinWatermark(["id"])
    return firsts.select("id", minutes_at("time"))


def _first_of_each_by(*columns: str) -> Callable[[Stream], DataFrame]:
    def result(stream: Stream) -> DataFrame:
        numbered = stream().selectExpr("time", *(f"value % 25 + {name[1:]} as {name}" for name in sorted(columns)))
        firsts = numbered.withWatermark("time", "30 minutes").dropDuplicatesWithinWatermark(list(columns))
        return firsts.select("c0", minutes_at("time"))

    return result


def _not_seen_before(run: int) -> list[Row]:
    expires: dict[int, int] = {}
    emitted: list[Row] = []
    for batch in range(run + 1):
        now = batch * MINUTES
        emitted = [(value % 25, now) for value in values(batch) if value % 25 not in expires]
        expires |= {value % 25: now + 30 for value in values(batch) if value % 25 not in expires}
        expires = {key: until for key, until in expires.items() if until > now - 30}
    return emitted


def _joined(stream: Stream) -> DataFrame:
    left, right = (
        stream()
        .withWatermark("time", "10 minutes")
        .selectExpr(f"value % 10 as {side}_key", f"value as {side}", f"time as {side}_t")
        for side in ("left", "right")
    )
    near = "right_t between left_t - interval 1 hour and left_t + interval 30 minutes"
    return left.join(right, F.expr(f"left_key = right_key and {near}")).select("left_key", "left", "right")


def _pairs(run: int) -> list[Row]:
    return [
        (left % 10, left, right)
        for left in range((run + 1) * ROWS)
        for right in range((run + 1) * ROWS)
        if left % 10 == right % 10
        and max(left, right) // ROWS == run
        and -60 <= (right // ROWS - left // ROWS) * MINUTES <= 30
    ]


def _counted_by_timer(stream: Stream) -> DataFrame:
    at = F.unix_millis("time").alias("at")
    rows = stream().withWatermark("time", "0 seconds").select("time", (F.col("value") % 4).alias("key"), at)
    counts = FORMS[0].run(rows.groupBy("key"), CountedByTimer(), "eventTime")
    return counts.select("key", ((F.col("expired") / 1000 - START_SECONDS) / 60).cast("bigint"), "count")


def _timers_expired(run: int) -> list[Row]:
    now = run * MINUTES  # the watermark after this run
    expired = [earlier for earlier in range(run + 1) if now - MINUTES < earlier * MINUTES + TIMER_MINUTES <= now]
    counts = Counter(value % 4 for value in range((run + 1) * ROWS))
    return [(key, earlier * MINUTES + TIMER_MINUTES, count) for earlier in expired for key, count in counts.items()]


def _kept_with_ttl(stream: Stream) -> DataFrame:
    rows = stream().select((F.col("value") % 4).alias("key"), "value")
    return FORMS[0].run(rows.groupBy("key"), KeptWithTtl(), "processingTime")


def _all_so_far(run: int) -> list[Row]:
    of_key = {key: range(key, (run + 1) * ROWS, 4) for key in range(4)}
    return [(key, len(numbers), sum(numbers), sum(numbers)) for key, numbers in of_key.items()]


AGGREGATION = Query("aggregation", _aggregated, _windows_closed)
DEDUPLICATION = Query("deduplication", _first_of_each, _not_seen_before)
BY_FOUR = Query("deduplication-by-four-columns", _first_of_each_by("c2", "c0", "c3", "c1"), _not_seen_before)
BY_COLUMNS = Query("deduplication-by-columns", _first_of_each_by("c0", "c1", "c2", "c3", "c4", "c5"), _not_seen_before)
IN_OLD_ORDER = Query("deduplication-in-old-order", BY_COLUMNS.result, _not_seen_before, {KEY_ORDER: "false"})
JOIN = Query("join", _joined, _pairs, {JOIN_FORMAT: "2"})
JOIN_3 = Query("join-in-format-3", _joined, _pairs, {JOIN_FORMAT: "3"})
JOIN_4 = Query("join-in-format-4", _joined, _pairs, {JOIN_FORMAT: "4", JOIN_FORMAT_4_ENABLED: "true"})
CHECKSUMS = Query("row-checksums", _aggregated, _windows_closed, {ROW_CHECKSUMS: "true"})
TIMERS = Query("transform-with-timers", _counted_by_timer, _timers_expired)
# With processing time Spark would add batches for ever.
TTL = Query("transform-with-ttl", _kept_with_ttl, _all_so_far, run_confs={EMPTY_BATCHES: "false"})
TRANSFORMS = (TIMERS, TTL)
JOINS, DEDUPLICATIONS = (JOIN, JOIN_3, JOIN_4), (DEDUPLICATION, BY_FOUR, BY_COLUMNS, IN_OLD_ORDER)
QUERIES = {query.name: query for query in (AGGREGATION, *DEDUPLICATIONS, *JOINS, CHECKSUMS, *TRANSFORMS)}

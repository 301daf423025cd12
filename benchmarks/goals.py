"""What the suite must show: one table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.contenders import CHANGELOG, DEFAULT_BUDGET, ROCKSTATE, TUNED
from benchmarks.ratios import Ratio, paired
from benchmarks.results import Metric, Results


@dataclass(frozen=True)
class Finding:
    """What a run says about a goal. None where the run did not ask; `ratio` is None for limits."""

    ours: Metric | None = None
    theirs: Metric | None = None
    ratio: Ratio | None = None
    reached: bool | None = None


@dataclass(frozen=True)
class Goal:
    """Rockstate is at least `factor` times better than `against`."""

    workload: str
    question: str
    metric: str
    factor: float
    against: str = CHANGELOG

    @property
    def text(self) -> str:
        return f"{self.factor:.3g}x {self.against}"

    def find(self, results: Results) -> Finding:
        ratio = paired(results, self.question, self.metric, ROCKSTATE, self.against)
        return Finding(
            results.middle(self.question, ROCKSTATE, self.metric),
            results.middle(self.question, self.against, self.metric),
            ratio,
            None if ratio is None else ratio.middle >= self.factor,
        )


@dataclass(frozen=True)
class Limit:
    """Rockstate's figure is at most `most`."""

    workload: str
    question: str
    metric: str
    most: float
    words: str

    against = CHANGELOG

    @property
    def text(self) -> str:
        return self.words

    def find(self, results: Results) -> Finding:
        ours = results.middle(self.question, ROCKSTATE, self.metric)
        theirs = results.middle(self.question, self.against, self.metric)
        return Finding(ours, theirs, None, None if ours is None else ours.value <= self.most)


@dataclass(frozen=True)
class Growth:
    """Rockstate's cost per row in question `large` is at most so many `times` that in question `small`."""

    workload: str
    small: str
    large: str
    times: float
    metric: str = "us_per_row"

    against = ROCKSTATE

    @property
    def question(self) -> str:
        return self.large

    @property
    def text(self) -> str:
        return f"at most {self.times:.2f} times {self.small}"

    def find(self, results: Results) -> Finding:
        small = results.middle(self.small, ROCKSTATE, self.metric)
        large = results.middle(self.large, ROCKSTATE, self.metric)
        if small is None or large is None:
            return Finding(large, small)
        return Finding(large, small, None, large.value <= self.times * small.value)


def _logarithms(large: int, small: int) -> float:
    return math.log(large) / math.log(small)


PROVIDER_GOALS: tuple[Goal | Limit | Growth, ...] = (
    Goal("update, batches of 50 k random get+put", "update", "rows_per_s", 6),
    Goal("update, against the tuned one at equal memory", "update", "rows_per_s", 4, TUNED),
    Goal("order of a hash aggregation", "aggregation", "rows_per_s", 8),
    Goal("skewed update, Zipf 1.1", "skewed_update", "rows_per_s", 6),
    Goal("load of new keys", "load", "rows_per_s", 4),
    Goal("update, memory holds a tenth of the state", "squeezed_update", "rows_per_s", 1.3, TUNED),
    Goal("batches of 500, p50", "small_batches", "batch_p50_ms", 6),
    Goal("batches of 500, p99", "small_batches", "batch_p99_ms", 8),
    Goal("commit of a 50 k batch, p99", "update", "commit_p99_ms", 8),
    Limit("getStore after an abort of 50 k puts", "abort", "get_store_ms", 1.0, "under 1 ms"),
    Goal("cold recovery, snapshot 5 versions old, to the first read", "recovery_5", "first_read_ms", 10),
    Goal("cold recovery, snapshot 50 versions old, to the first read", "recovery_50", "first_read_ms", 10),
    Goal("first eviction after a restart, empty local disk", "restart_cold", "first_eviction_ms", 1),
    Goal("the scan after that", "restart_cold", "second_scan_ms", 2),
    Limit(
        "restart where the store was before, to the first read", "restart_warm", "first_read_ms", 200, "under 200 ms"
    ),
    Limit("the same with 10 M rows", "restart_warm_10m", "first_read_ms", 200, "under 200 ms"),
    Goal("first eviction after such a restart, 1 M rows", "restart_warm", "first_eviction_ms", 1),
    Goal("first eviction after a restart, 10 M rows", "restart_cold_10m", "first_eviction_ms", 1),
    Goal("the scan after that", "restart_cold_10m", "second_scan_ms", 2),
    *(
        Goal(f"new JVM to first committed batch with eviction, {words}", question, "first_commit_ms", 3)
        for words, question in (
            ("1 M rows", "new_jvm"),
            ("1 M rows after small batches", "new_jvm_small_batches"),
            ("1 M rows, same machine", "new_jvm_warm"),
            ("1 M rows, one core", "one_core_new_jvm"),
            ("10 M rows", "new_jvm_10m"),
        )
    ),
    Goal("first range of 1,000 rows after a restart", "restart_ordered", "first_range_ms", 1),
    Goal("first scan of all rows in order after that", "restart_ordered", "first_ordered_scan_ms", 1),
    Goal("the second one", "restart_ordered", "second_ordered_scan_ms", 2),
    Goal("full scan", "full_scan", "rows_per_s", 1.5),
    Goal("prefix scan of 10 rows", "prefix_scan", "scans_per_s", 3),
    Goal("range scan", "range_scan", "rows_per_s", 1.5),
    Goal("multiGet", "multi_get", "rows_per_s", 1.5),
    Goal("evict 10 % by scan and remove", "evict", "evict_ms", 5),
    Goal("CPU time of the update, all threads", "update", "cpu_us_per_row", 3),
    Goal("bytes to storage per row, batches of 50 k", "storage_large", "storage_bytes_per_row", 1 / 0.6),
    Goal("bytes to storage per row, batches of 500", "storage_small", "storage_bytes_per_row", 1 / 0.1),
    Goal("delta bytes per row", "update", "delta_bytes_per_row", 1 / 0.7),
    Limit("file-system calls per batch, task's thread", "update", "task_calls_per_batch", 3, "3 or fewer"),
    Limit("listings per batch, task's thread", "update", "task_list_calls_per_batch", 0, "none"),
    Goal("joins: merge, valuesIterator, putList", "joins", "rows_per_s", 3),
    Goal("timers: several column families", "timers", "rows_per_s", 3),
    *(
        Goal(f"a JVM's first ten batches: {question}", f"first_{question}", "batch_p50_ms", 1)
        for question in ("updates", "joins", "timers")
    ),
    Limit(
        "commit of a join's 64 k changes, a JVM's first ten batches",
        "first_joins",
        "commit_p50_ms",
        15,
        "under 15 ms",
    ),
    Goal("update, one core for everything", "one_core_update", "rows_per_s", 4),
    Goal("order of a hash aggregation, one core for everything", "one_core_aggregation", "rows_per_s", 4),
    Goal("batches of 500, p50, one core for everything", "one_core_small_batches", "batch_p50_ms", 4),
    *(
        Goal(f"a JVM's first ten batches, one core: {question}", f"one_core_first_{question}", "batch_p50_ms", 1)
        for question in ("updates", "joins")
    ),
    Goal("first eviction after a restart, one core", "one_core_restart_cold", "first_eviction_ms", 1),
    Limit("memory of a store with 1 M keys", "memory_1m", "state_bytes", DEFAULT_BUDGET, "within the budget"),
    Limit("memory of a store with 5 M keys", "memory_5m", "state_bytes", DEFAULT_BUDGET, "within the budget"),
    Goal("10 M keys, the memory that Rockstate takes by itself", "keys_10m_auto", "us_per_row", 4),
    Goal("the same, against the tuned one at equal memory", "keys_10m_auto", "us_per_row", 3, TUNED),
    Goal("10 M keys, files on disk and 1 GB for all beyond heap and budget", "keys_10m_contained", "us_per_row", 4),
    Goal("the same, against the tuned one", "keys_10m_contained", "us_per_row", 3, TUNED),
    Goal("50 M keys, against the tuned one at equal memory", "keys_50m", "us_per_row", 3, TUNED),
    Growth("cost per row, 50 M keys", "keys_10m", "keys_50m", 2),
    Growth("cost per row, 10 M keys", "keys_100k", "keys_10m", _logarithms(10_000_000, 100_000)),
    Growth("cost per row, 64 stores", "stores_1", "stores_64", _logarithms(64 * 25_000, 25_000)),
)

#: Questions of pyspark/ by the rows of their batches: `<question>_<rows>`.
END_TO_END_GOALS = (
    Goal("end to end: aggregation, batches of 100 k", "windowed_aggregation_100000", "batch_p50_ms", 2),
    Goal("end to end: stream-stream join, batches of 100 k", "join_100000", "batch_p50_ms", 4),
    *(
        Goal(
            f"200 partitions, a local disk, batches of {rows // 1000} k: {words}", f"many_partitions_{rows}", metric, 2
        )
        for rows in (100_000, 1_000)
        for words, metric in (
            ("a batch", "batch_p50_ms"),
            ("the first batch after a restart", "restart_first_batch_ms"),
        )
    ),
    *(
        Goal(
            f"end to end: {question.replace('_', ' ')}, batches of {rows // 1000} k", f"{question}_{rows}", "total_s", 1
        )
        for question, sizes in (
            ("windowed_aggregation", (1_000,)),
            ("join", (1_000,)),
            ("deduplication", (100_000, 1_000)),
            ("apply_in_pandas_with_state", (100_000, 1_000)),
            ("transform_with_state_in_pandas", (100_000, 1_000)),
            ("transform_with_state", (100_000, 1_000)),
        )
        for rows in sizes
    ),
)

GOALS = (*PROVIDER_GOALS, *END_TO_END_GOALS)

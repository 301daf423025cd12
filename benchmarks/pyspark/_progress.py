"""Figures of a query from Spark's progress reports."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

_STATE_TIMES = ("allUpdatesTimeMs", "allRemovalsTimeMs", "commitTimeMs")


@dataclass(frozen=True)
class Batch:
    """One batch: milliseconds from trigger to end, milliseconds in state stores summed over operators and partitions,
    and (rows, sum of hashes) of what it put out."""

    id: int
    millis: int
    state_millis: int
    output: tuple[int, int]


def batch(progress: Mapping[str, Any], observation: str) -> Batch:
    """Reads a progress report's JSON."""
    seen = progress["observedMetrics"][observation]
    return Batch(
        id=progress["batchId"],
        millis=progress["durationMs"]["triggerExecution"],
        state_millis=sum(operator[each] for operator in progress["stateOperators"] for each in _STATE_TIMES),
        output=(seen["rows"], seen["hashes"] or 0),
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The least value that `share` of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def metrics(batches: Iterable[Batch], cpu_millis: float) -> dict[str, dict[str, Any]]:
    """What benchmarks/README.md asks of end-to-end questions; the CPU time is that of a batch."""
    millis, state = zip(*((each.millis, each.state_millis) for each in batches), strict=True)
    figures = {
        "total_s": (sum(millis) / 1000, "s"),
        "batch_p50_ms": (median(millis), "ms"),
        "batch_p99_ms": (quantile(millis, 0.99), "ms"),
        "state_ms_per_batch": (sum(state) / len(state), "ms"),
        "cpu_ms_per_batch": (cpu_millis, "ms"),
    }
    return _lower_is_better(figures)


def restart_metrics(batches: Sequence[Batch]) -> dict[str, dict[str, Any]]:
    """The same of the first batches after a restart."""
    first, *others = (each.millis for each in batches)
    return _lower_is_better({"restart_first_batch_ms": (first, "ms"), "restart_next_batch_ms": (median(others), "ms")})


def _lower_is_better(figures: Mapping[str, tuple[float, str]]) -> dict[str, dict[str, Any]]:
    return {name: {"value": value, "unit": unit, "better": "lower"} for name, (value, unit) in figures.items()}

"""What one stateful operator did in one batch, from Spark's progress or from a file of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BatchState:
    """One stateful operator in one batch, all partitions together.

    Attributes:
        query: the query's name, or its id if it has none.
        run_id: changes when the query is started again.
        batch: the batch id.
        timestamp: when the batch began, ISO 8601 in UTC.
        operator: the operator's place in the query, from 0.
        operator_name: Spark's name for it.
        input_rows: rows that the batch read.
        batch_ms: milliseconds from trigger to the batch's end.
        state_rows, updated_rows, removed_rows: keys in the state after the batch, and what the batch did to them.
        memory_bytes: that the operator's stores report.
        commit_ms: milliseconds in commits, summed over partitions.
        snapshot_lag: deltas since each store's newest snapshot, summed over partitions; None for other providers.
        metrics: all custom metrics, see docs/metrics.md.
    """

    query: str
    run_id: str
    batch: int
    timestamp: str
    operator: int
    operator_name: str
    input_rows: int
    batch_ms: int
    state_rows: int
    updated_rows: int
    removed_rows: int
    memory_bytes: int
    commit_ms: int
    snapshot_lag: int | None
    metrics: dict[str, int]


def records_of(progress: dict[str, Any]) -> Iterator[BatchState]:
    """The records of one `StreamingQueryProgress`, as its JSON has it."""
    for index, operator in enumerate(progress.get("stateOperators", [])):
        metrics = {name: int(value) for name, value in operator.get("customMetrics", {}).items()}
        yield BatchState(
            query=progress.get("name") or progress["id"],
            run_id=progress["runId"],
            batch=progress["batchId"],
            timestamp=progress["timestamp"],
            operator=index,
            operator_name=operator.get("operatorName", ""),
            input_rows=progress.get("numInputRows", 0),
            batch_ms=progress.get("durationMs", {}).get("triggerExecution", progress.get("batchDuration", 0)),
            state_rows=operator["numRowsTotal"],
            updated_rows=operator["numRowsUpdated"],
            removed_rows=operator.get("numRowsRemoved", 0),
            memory_bytes=operator["memoryUsedBytes"],
            commit_ms=operator.get("commitTimeMs", 0),
            snapshot_lag=metrics.get("rockstateDeltasSinceSnapshot"),
            metrics=metrics,
        )

"""Hands what Spark reports of every batch's state to Spark's own metrics system, for dashboards and alerts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from pyspark.sql.streaming.listener import StreamingQueryListener

from rockstate.session.metrics_source import MetricsSource

if TYPE_CHECKING:
    from pyspark.sql.streaming.listener import (
        QueryIdleEvent,
        QueryProgressEvent,
        QueryStartedEvent,
        QueryTerminatedEvent,
    )

SOURCE = "rockstate"

#: How things stand after a batch; all other metrics are of one batch and are added up.
LEVELS = frozenset(
    {
        "numRowsTotal",
        "memoryUsedBytes",
        "numStateStoreInstances",
        "rockstateDeltasSinceSnapshot",
        "rockstateInternalRows",
        "rockstatePendingBytes",
    }
)

#: Spark's own figures of an operator that are handed on beside the custom metrics, and two of the batch.
SPARKS = ("numRowsTotal", "memoryUsedBytes", "numStateStoreInstances", "numRowsUpdated", "numRowsRemoved")
BATCHS = ("batches", "batchMs")


class Source(Protocol):
    """Where the figures go: `MetricsSource`."""

    def set(self, metric: str, value: int) -> None: ...
    def add(self, metric: str, amount: int) -> None: ...
    def remove(self, prefix: str) -> None: ...


class StateMetrics(StreamingQueryListener):
    """A listener for Spark's metrics system: `spark.streams.addListener(rockstate.StateMetrics())`.

    Every sink that Spark is set to has them then, as `rockstate.QUERY.operator0.METRIC` on the driver: how things stand
    as gauges, and what is of one batch as counters since the listener was made. docs/monitoring.md has them in
    Prometheus. A query's metrics go when it ends.

    Raises:
        Misuse: no SparkContext is active; of Spark Connect there is none.
    """

    def __init__(self) -> None:
        self._source: Source = MetricsSource(SOURCE)
        self._names: dict[str, str] = {}

    def onQueryStarted(self, event: QueryStartedEvent) -> None:
        """Nothing to tell."""

    def onQueryIdle(self, event: QueryIdleEvent) -> None:
        """Nothing to tell."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
        """Takes the query's metrics away."""
        name = self._names.pop(str(event.runId), None)
        if name is not None:
            self._source.remove(f"{name}.operator")

    def onQueryProgress(self, event: QueryProgressEvent) -> None:
        """Tells the batch's figures."""
        progress = json.loads(event.progress.json)
        name = progress.get("name") or progress["id"]
        self._names[progress["runId"]] = name
        for operator, metric, value in figures_of(progress):
            tell = self._source.set if metric in LEVELS else self._source.add
            tell(f"{name}.operator{operator}.{metric}", value)


def figures_of(progress: dict[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Operator, metric and value of each figure of one `StreamingQueryProgress`, as its JSON has it."""
    millis = progress.get("durationMs", {}).get("triggerExecution", progress.get("batchDuration", 0))
    for index, operator in enumerate(progress.get("stateOperators", [])):
        yield from ((index, metric, value) for metric, value in zip(BATCHS, (1, millis), strict=True))
        yield from ((index, metric, int(operator[metric])) for metric in SPARKS if metric in operator)
        custom = operator.get("customMetrics", {}).items()
        yield from ((index, metric, int(value)) for metric, value in custom if is_ours(metric))


def is_ours(metric: str) -> bool:
    """Whether it is known of a custom metric what it is; SnapshotLastUploaded names other stores in every batch."""
    return metric.startswith("rockstate") or metric == "forceSnapshotCount"

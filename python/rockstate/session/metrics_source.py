"""Figures of ours in Spark's own metrics system on the driver, from where each sink takes them that Spark is set to."""

from __future__ import annotations

import threading
from typing import Any

from rockstate.base.errors import Misuse


class MetricsSource:
    """A source of Spark's metrics, with gauges and counters that are made when they are first given a value.

    Args:
        name: stands before the name of every metric.

    Raises:
        Misuse: no SparkContext is active.
    """

    def __init__(self, name: str) -> None:
        from pyspark import SparkContext
        from pyspark.java_gateway import ensure_callback_server_started

        if SparkContext._active_spark_context is None:
            raise Misuse("There is no Spark whose metrics these could be", "Make them after the session")
        ensure_callback_server_started(SparkContext._gateway)  # type: ignore[no-untyped-call]
        self._codahale = SparkContext._jvm.com.codahale.metrics  # type: ignore[union-attr]
        self._registry = self._codahale.MetricRegistry()
        self._metrics: dict[str, Any] = {}
        self._lock = threading.Lock()
        environment = SparkContext._jvm.org.apache.spark.SparkEnv.get()  # type: ignore[union-attr]
        environment.metricsSystem().registerSource(_Source(name, self._registry))

    def set(self, metric: str, value: int) -> None:
        """Sets a gauge."""
        self._known(metric, self._codahale.DefaultSettableGauge).setValue(value)

    def add(self, metric: str, amount: int) -> None:
        """Adds to a counter."""
        self._known(metric, self._codahale.Counter).inc(amount)

    def remove(self, prefix: str) -> None:
        """Takes away the metrics whose names begin so."""
        with self._lock:
            for metric in [name for name in self._metrics if name.startswith(prefix)]:
                del self._metrics[metric]
                self._registry.remove(metric)

    def _known(self, metric: str, kind: Any) -> Any:
        with self._lock:
            if metric not in self._metrics:
                self._metrics[metric] = kind()
                self._registry.register(metric, self._metrics[metric])
            return self._metrics[metric]


class _Source:
    """Spark's interface, which py4j calls; Spark listens to what the registry gets later."""

    def __init__(self, name: str, registry: Any) -> None:
        self._name, self._registry = name, registry

    def sourceName(self) -> str:
        return self._name

    def metricRegistry(self) -> Any:
        return self._registry

    class Java:
        implements = ("org.apache.spark.metrics.source.Source",)

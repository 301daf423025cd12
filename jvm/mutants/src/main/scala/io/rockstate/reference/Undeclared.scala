package io.rockstate.reference

import org.apache.spark.sql.execution.streaming.state.{StateStoreCustomSumMetric, StateStoreMetrics}

/** A metric that no provider declares. */
object Undeclared {
  private val metric = StateStoreCustomSumMetric("undeclared", "a surprise")

  /** The metrics, and that one if it is to be reported. */
  def added(metrics: StateStoreMetrics, isReported: Boolean): StateStoreMetrics =
    if (isReported) metrics.copy(customMetrics = metrics.customMetrics + (metric -> 1L)) else metrics
}

package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.concurrent.atomic.LongAdder

import org.apache.spark.sql.execution.streaming.state.StateStoreCustomMetric

/** What happened to a store beside its batches, counted until a batch reports it. Safe for several threads. */
private[rockstate] final class StoreCounters {
  private val counts = StoreMetrics.betweenBatches.map(_ -> new LongAdder).toMap

  def add(metric: StateStoreCustomMetric, count: Long): Unit = counts(metric).add(count)

  /** The counts since they were last taken. */
  def take(): Map[StateStoreCustomMetric, Long] = counts.map { case (metric, count) => metric -> count.sumThenReset() }
}

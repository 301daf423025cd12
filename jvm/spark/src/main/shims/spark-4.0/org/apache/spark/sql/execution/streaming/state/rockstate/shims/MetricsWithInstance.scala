package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import scala.annotation.unused

import org.apache.spark.sql.execution.streaming.state._

/** Spark 4.0 has no metrics of single stores. */
private[rockstate] object MetricsWithInstance {

  /** @param custom       the custom metrics
    * @param lastUploaded told to nobody
    */
  def apply(
      @unused id: StateStoreId,
      rows: Long,
      memoryBytes: Long,
      custom: Map[StateStoreCustomMetric, Long],
      @unused lastUploaded: Long
  ): StateStoreMetrics = StateStoreMetrics(rows, memoryBytes, custom)
}

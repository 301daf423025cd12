package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state._

/** Which snapshot each store stored last, as a metric of its own. */
private[shims] trait ProviderWithInstanceMetrics extends StateStoreProvider {
  override def supportedInstanceMetrics: Seq[StateStoreInstanceMetric] =
    Seq(StateStoreSnapshotLastUploadInstanceMetric())
}

private[rockstate] object MetricsWithInstance {

  /** @param custom       the custom metrics
    * @param lastUploaded the version of the store's newest snapshot
    */
  def apply(
      id: StateStoreId,
      rows: Long,
      memoryBytes: Long,
      custom: Map[StateStoreCustomMetric, Long],
      lastUploaded: Long
  ): StateStoreMetrics = {
    val metric = StateStoreSnapshotLastUploadInstanceMetric().withNewId(id.partitionId, id.storeName)
    StateStoreMetrics(rows, memoryBytes, custom, Map(metric -> lastUploaded))
  }
}

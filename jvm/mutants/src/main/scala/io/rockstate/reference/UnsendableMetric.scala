package io.rockstate.reference

import org.apache.spark.sql.execution.streaming.state.StateStoreSnapshotLastUploadInstanceMetric

/** A metric of an instance that holds on to what cannot be serialized. */
final class UnsendableMetric(partition: Option[Int], name: String)
    extends StateStoreSnapshotLastUploadInstanceMetric(partition, name) {
  val holds: Thread = Thread.currentThread
  override def withNewId(partitionId: Int, storeName: String): StateStoreSnapshotLastUploadInstanceMetric =
    new UnsendableMetric(Some(partitionId), storeName)
}

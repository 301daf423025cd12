package io.rockstate.reference

import org.apache.spark.sql.execution.streaming.state.StateStoreSnapshotLastUploadInstanceMetric

/** A metric of an instance that is equal to no other of its name. */
final class UnequalMetric(partition: Option[Int], name: String)
    extends StateStoreSnapshotLastUploadInstanceMetric(partition, name) {
  override def withNewId(partitionId: Int, storeName: String): StateStoreSnapshotLastUploadInstanceMetric =
    new UnequalMetric(Some(partitionId), storeName)
  override def equals(other: Any): Boolean = other match { case same: AnyRef => same eq this; case _ => false }
  override def hashCode: Int = System.identityHashCode(this)
}

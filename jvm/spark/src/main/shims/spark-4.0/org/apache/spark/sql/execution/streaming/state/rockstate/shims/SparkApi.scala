package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.RecordType.RecordType
import org.apache.spark.sql.execution.streaming.state.StateStore.DEFAULT_COL_FAMILY_NAME
import org.apache.spark.util.NextIterator

// Common code extends these and writes `override` everywhere; here is what Spark 4.0 lacks.

trait ProviderShim extends ProviderSince42 with ProviderSince43 with SupportsFineGrainedReplay {
  def replayStateFromSnapshot(
      snapshotVersion: Long,
      endVersion: Long,
      readOnly: Boolean,
      snapshotId: Option[String],
      endId: Option[String]
  ): StateStore

  def replayReadStateFromSnapshot(
      snapshotVersion: Long,
      endVersion: Long,
      snapshotId: Option[String],
      endId: Option[String]
  ): ReadStateStore

  def getStateStoreChangeDataReader(
      startVersion: Long,
      endVersion: Long,
      colFamilyNameOpt: Option[String],
      endId: Option[String]
  ): NextIterator[(RecordType, UnsafeRow, UnsafeRow, Long)]

  override def replayStateFromSnapshot(snapshotVersion: Long, endVersion: Long): StateStore =
    replayStateFromSnapshot(snapshotVersion, endVersion, readOnly = false, None, None)

  override def replayReadStateFromSnapshot(snapshotVersion: Long, endVersion: Long): ReadStateStore =
    replayReadStateFromSnapshot(snapshotVersion, endVersion, None, None)

  override def getStateStoreChangeDataReader(
      startVersion: Long,
      endVersion: Long,
      colFamilyNameOpt: Option[String]
  ): NextIterator[(RecordType, UnsafeRow, UnsafeRow, Long)] =
    getStateStoreChangeDataReader(startVersion, endVersion, colFamilyNameOpt, None)
}

trait ReadStoreShim extends ReadStateStore with ReadStoreSince42 with ReadStoreSince43 {
  def release(): Unit
}

trait StoreShim extends StateStore with ReadStoreShim with StoreSince42 {
  override def release(): Unit = throw new UnsupportedOperationException("Only what is only read is released")
  def putList(key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Unit
  def mergeList(key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Unit
}

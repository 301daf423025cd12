package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._

// What Spark 4.2 added to its traits.

private[shims] trait ProviderSince42 extends StateStoreProvider {
  def getStore(version: Long, id: Option[String], forceSnapshotOnCommit: Boolean, loadEmpty: Boolean): StateStore

  def upgradeReadStoreToWriteStore(
      readStore: ReadStateStore,
      version: Long,
      id: Option[String],
      forceSnapshotOnCommit: Boolean
  ): StateStore

  override def getStore(version: Long, stateStoreCkptId: Option[String]): StateStore =
    getStore(version, stateStoreCkptId, forceSnapshotOnCommit = false, loadEmpty = false)
}

private[shims] trait ReadStoreSince42 {
  protected type Pairs = StateStoreIterator[UnsafeRowPair]

  def multiGet(keys: Array[UnsafeRow], colFamilyName: String): Iterator[UnsafeRow]
  def keyExists(key: UnsafeRow, colFamilyName: String): Boolean
  def rangeScan(startKey: Option[UnsafeRow], endKey: Option[UnsafeRow], colFamilyName: String): Pairs
  def rangeScanWithMultiValues(startKey: Option[UnsafeRow], endKey: Option[UnsafeRow], colFamilyName: String): Pairs
  def prefixScanWithMultiValues(prefixKey: UnsafeRow, colFamilyName: String): Pairs
  def iteratorWithMultiValues(colFamilyName: String): Pairs
  def allColumnFamilyNames: Set[String]
}

private[shims] trait StoreSince42 {
  def deleteRange(beginKey: UnsafeRow, endKey: UnsafeRow, colFamilyName: String): Unit
}

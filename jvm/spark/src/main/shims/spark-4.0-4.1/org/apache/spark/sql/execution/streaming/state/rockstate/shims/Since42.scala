package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.StateStore.DEFAULT_COL_FAMILY_NAME

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
  protected type Bound = Option[UnsafeRow]

  def multiGet(keys: Array[UnsafeRow], colFamilyName: String): Iterator[UnsafeRow]
  def keyExists(key: UnsafeRow, colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Boolean
  def rangeScan(startKey: Bound, endKey: Bound, colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Pairs
  def rangeScanWithMultiValues(startKey: Bound, endKey: Bound, colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Pairs
  def prefixScanWithMultiValues(prefixKey: UnsafeRow, colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Pairs
  def iteratorWithMultiValues(colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Pairs
  def allColumnFamilyNames: Set[String]
}

private[shims] trait StoreSince42 {
  def deleteRange(beginKey: UnsafeRow, endKey: UnsafeRow, colFamilyName: String = DEFAULT_COL_FAMILY_NAME): Unit
}

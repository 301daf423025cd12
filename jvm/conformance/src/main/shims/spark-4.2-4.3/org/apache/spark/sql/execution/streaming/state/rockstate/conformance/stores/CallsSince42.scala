package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** The calls that Spark 4.2 brought. */
private[conformance] object CallsSince42 {
  type Pairs = StateStoreIterator[UnsafeRowPair]
  type Bound = Option[UnsafeRow]

  /** @param empty    whether nothing of the version is loaded
    * @param snapshot whether the commit is to make a snapshot
    */
  def begin(
      provider: StateStoreProvider,
      version: Long,
      id: Option[String],
      empty: Boolean,
      snapshot: Boolean
  ): StateStore = provider.getStore(version, id, forceSnapshotOnCommit = snapshot, loadEmpty = empty)

  /** The commit makes a snapshot. */
  def upgrade(provider: StateStoreProvider, store: ReadStateStore, id: Option[String]): StateStore =
    provider.upgradeReadStoreToWriteStore(store, store.version, id, forceSnapshotOnCommit = true)

  /** Keys end with a timestamp; the stored key begins with it if it comes `first`. */
  def timestampKeys(schema: StructType, first: Boolean): KeyStateEncoderSpec =
    if (first) TimestampAsPrefixKeyStateEncoderSpec(schema) else TimestampAsPostfixKeyStateEncoderSpec(schema)

  def families(store: ReadStateStore): Set[String] = store.allColumnFamilyNames

  def contains(store: ReadStateStore, key: UnsafeRow, family: String): Boolean = store.keyExists(key, family)

  def multiGet(store: ReadStateStore, keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] =
    store.multiGet(keys, family)

  def range(store: ReadStateStore, first: Bound, last: Bound, family: String): Pairs =
    store.rangeScan(first, last, family)

  def rangeValues(store: ReadStateStore, first: Bound, last: Bound, family: String): Pairs =
    store.rangeScanWithMultiValues(first, last, family)

  def prefixValues(store: ReadStateStore, prefix: UnsafeRow, family: String): Pairs =
    store.prefixScanWithMultiValues(prefix, family)

  def allValues(store: ReadStateStore, family: String): Pairs = store.iteratorWithMultiValues(family)

  def deleteRange(store: StateStore, first: UnsafeRow, last: UnsafeRow, family: String): Unit =
    store.deleteRange(first, last, family)
}

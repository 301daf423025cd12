package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.RecordType.RecordType
import org.apache.spark.util.NextIterator

/** The calls that Spark 4.1 brought. */
private[conformance] object CallsSince41 {
  type Id = Option[String]

  def release(store: ReadStateStore): Unit = store.release()

  def putList(store: StateStore, key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
    store.putList(key, values, family)

  def mergeList(store: StateStore, key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
    store.mergeList(key, values, family)

  def upgrade(provider: StateStoreProvider, store: ReadStateStore, id: Id): StateStore =
    provider.upgradeReadStoreToWriteStore(store, store.version, id)

  /** @param snapshot its version and its checkpoint id
    * @param version  that to be read, and its checkpoint id
    */
  def replay(
      provider: SupportsFineGrainedReplay,
      snapshot: (Long, Id),
      version: (Long, Id),
      readOnly: Boolean
  ): StateStore = provider.replayStateFromSnapshot(snapshot._1, version._1, readOnly, snapshot._2, version._2)

  /** The same, of a version that can only be read. */
  def replayToRead(provider: SupportsFineGrainedReplay, snapshot: (Long, Id), version: (Long, Id)): ReadStateStore =
    provider.replayReadStateFromSnapshot(snapshot._1, version._1, snapshot._2, version._2)

  def changes(
      provider: SupportsFineGrainedReplay,
      first: Long,
      last: (Long, Id),
      family: Option[String]
  ): NextIterator[(RecordType, UnsafeRow, UnsafeRow, Long)] =
    provider.getStateStoreChangeDataReader(first, last._1, family, last._2)
}

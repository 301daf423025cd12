package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinHelper.{
  LeftSide,
  RightSide
}
import org.apache.spark.sql.execution.streaming.operators.stateful.join.SymmetricHashJoinStateManager
import org.apache.spark.sql.execution.streaming.state._

/** What reads and writes whole stores outside of a query. */
private[rockstate] object WholeStores {

  /** Throws where this Spark cannot. */
  def requireThem(): Unit = ()

  /** A store without rows that a commit makes version `version + 1` of, whatever was there before. */
  def empty(provider: StateStoreProvider, version: Long): StateStore =
    provider.getStore(version, None, forceSnapshotOnCommit = true, loadEmpty = true)

  /** The same for a provider that only goes on from what it has: version 1, with a snapshot. */
  def first(provider: StateStoreProvider): StateStore =
    provider.getStore(0, None, forceSnapshotOnCommit = true, loadEmpty = false)

  /** All values of all keys, those of one key one after the other. */
  def allValues(store: ReadStateStore, family: String): StateStoreIterator[UnsafeRowPair] =
    store.iteratorWithMultiValues(family)

  /** The names of the column families that it has. */
  def familiesOf(store: ReadStateStore): Set[String] = store.allColumnFamilyNames

  /** The column families of joins whose keys have several values. */
  val joinsWithLists: Set[String] = SymmetricHashJoinStateManager.allStateStoreNamesV4(LeftSide, RightSide).toSet
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import scala.annotation.unused

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.execution.streaming.state._

import io.rockstate.errors.Unsupported

/** What reads and writes whole stores outside of a query: Spark can write them since 4.2. */
private[rockstate] object WholeStores {
  def requireThem(): Unit = throw new Unsupported(
    s"Spark $SPARK_VERSION has no means to write a store anew",
    "Move the checkpoint with Spark 4.2 or 4.3; the query may go on with this one."
  )

  def empty(provider: StateStoreProvider, version: Long): StateStore = none(provider, version)
  def first(provider: StateStoreProvider): StateStore = none(provider)

  /** All values of all keys, those of one key one after the other. */
  def allValues(store: ReadStateStore, family: String): Iterator[UnsafeRowPair] =
    store.iterator(family).map(_.key.copy()).flatMap { key =>
      val pair = new UnsafeRowPair()
      store.valuesIterator(key, family).map(pair.withRows(key, _))
    }

  /** The names of the column families that it has: this Spark has no call that tells. */
  def familiesOf(@unused store: ReadStateStore): Set[String] = Set.empty
  val joinsWithLists: Set[String] = Set.empty

  private def none(@unused arguments: Any*): Nothing = throw new UnsupportedOperationException
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, UnsafeRowPair}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.WholeStores

import io.rockstate.errors.{OnFailure, Unsupported}

/** Every row of one version of a store's partition, family by family, internal ones included. A row counts until the next is asked for. */
private[moving] final class StoreRows(plan: StorePlan, partition: Int, side: StateSide, hadoopConf: Configuration)
    extends AutoCloseable {
  private val provider = plan.open(partition, side, hadoopConf)
  private val store = OnFailure(provider.close())(opened())
  private val counted = plan.families.map(family => new FamilyRows(store, family))

  def iterator: Iterator[StoreRow] = counted.iterator.flatMap(_.iterator)

  /** What has come by. */
  def totals: Map[FamilyKey, RowTotals] =
    counted.map(rows => FamilyKey(plan.operator, plan.store, rows.family.name) -> rows.totals).toMap

  override def close(): Unit =
    try store.abort()
    finally provider.close()

  /** Only a store that may be written to takes column families. */
  private def opened(): ReadStateStore = {
    val id = side.idOf(plan, partition)
    if (!plan.hasColumnFamilies) provider.getReadStore(side.version, id)
    else {
      val store = provider.getStore(side.version, id)
      OnFailure(store.abort()) {
        val known = plan.families.map(_.name).toSet
        val unknown = WholeStores.familiesOf(store).filterNot(f => known(f) || FamilyPlan.isDefault(f))
        if (unknown.nonEmpty) throw undeclared(unknown)
        plan.declareFamilies(store)
      }
      store
    }
  }

  private def undeclared(families: Set[String]): Unsupported = new Unsupported(
    s"The store has column families that its schema does not name: ${families.toVector.sorted.mkString(", ")}",
    "Their rows would be lost. Report this with the query's plan.",
    Some(s"${side.stateRoot}/${plan.operator}/$partition")
  )
}

/** @param isNext whether it is one more value of the key before it */
private[moving] final case class StoreRow(family: FamilyPlan, pair: UnsafeRowPair, isNext: Boolean)

private final class FamilyRows(store: ReadStateStore, val family: FamilyPlan) {
  private var seen = RowTotals.none
  private var lastKey: UnsafeRow = _
  private var index = 0

  def totals: RowTotals = seen

  def iterator: Iterator[StoreRow] = {
    val rows = if (family.isMultiValued) WholeStores.allValues(store, family.name) else store.iterator(family.name)
    rows.map { pair =>
      val isNext = family.isMultiValued && pair.key == lastKey
      index = if (isNext) index + 1 else 0
      if (family.isMultiValued && !isNext) lastKey = pair.key.copy()
      seen = seen.plus(pair.key, pair.value, index)
      StoreRow(family, pair, isNext)
    }
  }
}

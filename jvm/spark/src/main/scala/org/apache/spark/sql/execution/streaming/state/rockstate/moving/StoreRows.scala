package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.util.Using

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, StateStoreProvider, UnsafeRowPair}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.WholeStores

import io.rockstate.errors.Unsupported

/** Every row of one version of a store's partition, family by family, internal ones included. */
private[moving] final class StoreRows(plan: StorePlan, partition: Int, side: StateSide, hadoopConf: Configuration) {
  import StoreRows._

  /** Hands every row to `use`; it counts until `use` returns.
    *
    * @return what came by, by column family
    */
  def foreach(use: Use): Map[String, RowTotals] =
    Using.resource(plan.open(partition, side, hadoopConf)) { provider =>
      reading(provider)(store => plan.families.map(family => family.name -> rowsOf(store, family, use)).toMap)
    }(_.close())

  private def rowsOf(store: ReadStateStore, family: FamilyPlan, use: Use): RowTotals = {
    var totals = RowTotals.none
    var lastKey: UnsafeRow = null
    var index = 0
    val rows = if (family.isMultiValued) WholeStores.allValues(store, family.name) else store.iterator(family.name)
    Using.resource(rows) { _ =>
      rows.foreach { pair =>
        val isNext = family.isMultiValued && pair.key == lastKey
        index = if (isNext) index + 1 else 0
        if (family.isMultiValued && !isNext) lastKey = pair.key.copy()
        totals = totals.plus(pair.key, pair.value, index)
        use(family, pair, isNext)
      }
    }
    totals
  }

  /** Only a store that may be written to takes column families. */
  private def reading[T](provider: StateStoreProvider)(body: ReadStateStore => T): T = {
    val id = side.idOf(plan, partition)
    if (!plan.hasColumnFamilies) Using.resource(provider.getReadStore(side.version, id))(body)(_.abort())
    else
      Using.resource(provider.getStore(side.version, id)) { store =>
        val known = plan.families.map(_.name).toSet
        val unknown = WholeStores.familiesOf(store).filterNot(f => known(f) || FamilyPlan.isDefault(f))
        if (unknown.nonEmpty) throw undeclared(unknown)
        plan.declareFamilies(store)
        body(store)
      }(_.abort())
  }

  private def undeclared(families: Set[String]): Unsupported = new Unsupported(
    s"The store has column families that its schema does not name: ${families.toVector.sorted.mkString(", ")}",
    "Their rows would be lost. Report this with the query's plan.",
    Some(s"${side.stateRoot}/${plan.operator}/$partition")
  )
}

private[moving] object StoreRows {

  /** Takes a row with its column family, and whether it is one more value of the key before it. */
  type Use = (FamilyPlan, UnsafeRowPair, Boolean) => Unit
}

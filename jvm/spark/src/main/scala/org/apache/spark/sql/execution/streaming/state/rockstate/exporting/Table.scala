package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{FamilyPlan, StorePlan}
import org.apache.spark.sql.types.StructType

/** One table of an export: the rows of one column family of a store, over all partitions. */
private[rockstate] final case class Table(store: StorePlan, family: FamilyPlan) {

  /** Its folder, relative to that of the export. */
  val path: String = {
    val parts = Vector(s"${store.operator}-${store.operatorName}", store.store) ++
      Option.when(store.hasColumnFamilies)(family.name)
    parts.map(Table.escaped).mkString("/")
  }

  def columns: Columns = new Columns(family)
  def schema: StructType = columns.schema
}

private[rockstate] object Table {

  /** All tables of a store. Operators that have column families leave the default one alone. */
  def of(store: StorePlan): Vector[Table] =
    store.families.filterNot(f => store.hasColumnFamilies && f.isDefault).map(new Table(store, _))

  /** As a folder's name: neither a pattern nor, to Spark, hidden. */
  private def escaped(name: String): String = name.zipWithIndex.map {
    case (c, _) if c.isLetterOrDigit || c == '-' || c == '$' => c.toString
    case (c @ ('_' | '.'), i) if i > 0 => c.toString
    case (c, _) => f"%%${c.toInt}%02X"
  }.mkString
}

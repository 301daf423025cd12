package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.{UnsafeRow, XXH64}

/** How many rows there are, and a digest of them: 128 bits that do not depend on the rows' order, but on that of a key's values. */
private[rockstate] final case class RowTotals(rows: Long, high: Long, low: Long) {
  def +(other: RowTotals): RowTotals = RowTotals(rows + other.rows, high + other.high, low + other.low)

  /** @param index which of its key's values it is */
  def plus(key: UnsafeRow, value: UnsafeRow, index: Int): RowTotals =
    RowTotals(rows + 1, high + RowTotals.hash(key, value, index + 1L), low + RowTotals.hash(key, value, ~index.toLong))

  def digest: String = f"$high%016x$low%016x"
}

/** Rows, each key's once, that are counted when they come by. */
private[moving] final class CountedRows(plan: StorePlan, rows: Iterator[StoreRow]) {
  private val seen = mutable.Map.from(plan.families.map(_.name -> RowTotals.none))

  def iterator: Iterator[StoreRow] = rows.map { row =>
    seen(row.family.name) = seen(row.family.name).plus(row.pair.key, row.pair.value, index = 0)
    row
  }

  /** What has come by. */
  def totals: Map[FamilyKey, RowTotals] =
    seen.toMap.map { case (family, totals) => FamilyKey(plan.operator, plan.store, family) -> totals }
}

private[rockstate] object RowTotals {
  val none: RowTotals = RowTotals(0, 0, 0)

  private def hash(key: UnsafeRow, value: UnsafeRow, seed: Long): Long = hash(value, hash(key, seed))

  private def hash(row: UnsafeRow, seed: Long): Long =
    XXH64.hashUnsafeBytes(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes, seed)
}

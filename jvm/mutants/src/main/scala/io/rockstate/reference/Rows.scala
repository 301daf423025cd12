package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** What mutants do to rows that they have handed out. */
object Rows {

  /** Makes `row` show what `other` has. */
  def point(row: UnsafeRow, other: UnsafeRow): UnsafeRow = {
    row.pointTo(other.getBaseObject, other.getBaseOffset, other.getSizeInBytes)
    row
  }

  /** Makes all columns of `row` null. */
  def clear(row: UnsafeRow): Unit = (0 until row.numFields).foreach(row.setNullAt)
}

package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** What mutants do to rows that they hand out. */
object Rows {

  /** Makes `row` show what `other` has. */
  def point(row: UnsafeRow, other: UnsafeRow): UnsafeRow = {
    row.pointTo(other.getBaseObject, other.getBaseOffset, other.getSizeInBytes)
    row
  }

  /** The row with eight more bytes at its end. */
  def longer(row: UnsafeRow): UnsafeRow = {
    val bytes = java.util.Arrays.copyOf(row.getBytes, row.getSizeInBytes + 8)
    val longer = new UnsafeRow(row.numFields)
    longer.pointTo(bytes, bytes.length)
    longer
  }

  /** Makes all columns of `row` null. */
  def clear(row: UnsafeRow): Unit = (0 until row.numFields).foreach(row.setNullAt)
}

package io.rockstate.benchmarks.lab

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.{LongType, StructType}

/** Rows of `columns` longs that are not null, in one buffer that is used again and again, as operators do: 8 bytes a column and 8 for the
  * null bits.
  */
final class LongsRow(columns: Int) {
  private val row = new UnsafeRow(columns)
  row.pointTo(new Array[Byte](8 * (columns + 1)), 8 * (columns + 1))

  def apply(first: Long): UnsafeRow = {
    row.setLong(0, first)
    row
  }

  def apply(first: Long, second: Long): UnsafeRow = {
    row.setLong(0, first)
    row.setLong(1, second)
    row
  }

  def apply(first: Long, second: Long, third: Long): UnsafeRow = {
    row.setLong(0, first)
    row.setLong(1, second)
    row.setLong(2, third)
    row
  }
}

object LongsRow {
  def schema(names: String*): StructType =
    names.foldLeft(new StructType)((schema, name) => schema.add(name, LongType, nullable = false))
}

/** Keys as a query's are, spread over all longs: key numbers count from 0. */
object Keys {
  private val Factor = 0x9e3779b97f4a7c15L
  private val Inverse = BigInt(Factor).mod(BigInt(1) << 64).modInverse(BigInt(1) << 64).toLong

  def of(number: Int): Long = number * Factor

  /** The number of a key; a key that none has gives a number beyond all. */
  def number(key: Long): Long = key * Inverse
}

/** The value of a key after its nth put: a count, a sum and a last amount, as an aggregation's buffer holds. */
object Values {
  val Schema: StructType = LongsRow.schema("count", "sum", "last")

  def write(row: LongsRow, number: Int, generation: Int): UnsafeRow =
    row(generation.toLong, sum(number, generation), last(number, generation))

  def isRight(row: UnsafeRow, number: Int, generation: Int): Boolean =
    row.numFields == 3 && row.getLong(0) == generation && row.getLong(1) == sum(number, generation) &&
      row.getLong(2) == last(number, generation)

  private def sum(number: Int, generation: Int): Long = generation * 250L + (number & 0xffff)
  private def last(number: Int, generation: Int): Long = (number * 31 + generation * 17) & 0x3ff
}

package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import java.lang.Double.doubleToLongBits
import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{SpecializedGetters, XXH64}
import org.apache.spark.sql.catalyst.types._
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.RowTotals
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** Counts and digests a table's rows by their values, whatever they lie in: the same of what is written and of what is read. Neither the
  * order of rows nor that of a map's entries counts, which formats do not keep.
  */
private[exporting] object RowDigest {

  /** What a row adds to the totals of its table.
    *
    * @param hasDigest whether there is more to it than a count
    */
  def of(schema: StructType, hasDigest: Boolean): InternalRow => RowTotals =
    if (!hasDigest) _ => RowTotals(1, 0, 0)
    else {
      val fields = new Fields(schema)
      row => RowTotals(1, fields.hash(row, HighSeed), fields.hash(row, LowSeed))
    }

  /** The types of values of which there is no digest. */
  def unknown(of: DataType): Vector[DataType] = of match {
    case own: UserDefinedType[_] => unknown(own.sqlType)
    case struct: StructType => struct.fields.toVector.flatMap(field => unknown(field.dataType))
    case array: ArrayType => unknown(array.elementType)
    case map: MapType => unknown(map.keyType) ++ unknown(map.valueType)
    case single =>
      PhysicalDataType(single) match {
        case PhysicalBooleanType | PhysicalByteType | PhysicalShortType | PhysicalIntegerType | PhysicalLongType |
            PhysicalFloatType | PhysicalDoubleType | PhysicalBinaryType | PhysicalNullType =>
          Vector.empty
        case _: PhysicalStringType | _: PhysicalDecimalType => Vector.empty
        case _ => Vector(single)
      }
  }

  private val HighSeed = 42L
  private val LowSeed = ~HighSeed

  // Hashed as ints, what is in cells as longs and bytes.
  private val NullMark = 0
  private val StructMark = 1
  private val MapMark = 2
  private val ArrayMark = 3

  private final class Fields(struct: StructType) {
    private val cells = struct.fields.map(field => cell(field.dataType))

    def hash(row: InternalRow, seed: Long): Long = {
      var hash = XXH64.hashInt(StructMark, seed)
      var i = 0
      while (i < cells.length) {
        hash = cells(i).hash(row, i, hash)
        i += 1
      }
      hash
    }
  }

  /** Of one cell, which may be null. */
  private final class Cell(known: Known) {
    def hash(from: SpecializedGetters, i: Int, seed: Long): Long =
      if (from.isNullAt(i)) XXH64.hashInt(NullMark, seed) else known.hash(from, i, seed)
  }

  /** Of one that is not. */
  private trait Known {
    def hash(from: SpecializedGetters, i: Int, seed: Long): Long
  }

  private def cell(of: DataType): Cell = new Cell(of match {
    case own: UserDefinedType[_] => cell(own.sqlType).hash(_, _, _)
    case struct: StructType =>
      val fields = new Fields(struct)
      (from, i, seed) => fields.hash(from.getStruct(i, struct.length), seed)
    case array: ArrayType =>
      val element = cell(array.elementType)
      (from, i, seed) => {
        val elements = from.getArray(i)
        val start = XXH64.hashInt(ArrayMark + elements.numElements(), seed)
        (0 until elements.numElements()).foldLeft(start)((hash, at) => element.hash(elements, at, hash))
      }
    case map: MapType =>
      val (key, value) = (cell(map.keyType), cell(map.valueType))
      (from, i, seed) => {
        val (keys, values) = (from.getMap(i).keyArray(), from.getMap(i).valueArray())
        val entries = (0 until keys.numElements()).map(at => value.hash(values, at, key.hash(keys, at, seed)))
        XXH64.hashLong(entries.sum, XXH64.hashInt(MapMark, seed))
      }
    case single => (from, i, seed) => hash(from.get(i, single), seed)
  })

  private def hash(single: Any, seed: Long): Long = single match {
    case truth: Boolean => XXH64.hashLong(if (truth) 1 else 0, seed)
    // One NaN is as good as another.
    case float: Float => XXH64.hashLong(doubleToLongBits(float.toDouble), seed)
    case double: Double => XXH64.hashLong(doubleToLongBits(double), seed)
    case number: Number => XXH64.hashLong(number.longValue, seed)
    case text: UTF8String => XXH64.hashUnsafeBytes(text.getBaseObject, text.getBaseOffset, text.numBytes, seed)
    case bytes: Array[Byte] => hashBytes(bytes, seed)
    case decimal: Decimal => hashBytes(decimal.toJavaBigDecimal.stripTrailingZeros.toString.getBytes(UTF_8), seed)
    case other => throw new IllegalStateException(s"no digest of ${other.getClass}")
  }

  private def hashBytes(bytes: Array[Byte], seed: Long): Long =
    XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET.toLong, bytes.length, seed)
}

package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, XXH64}
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, ArrayData}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.RowTotals
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

class RowDigestSuite extends AnyFunSuite {
  private val inner = new StructType().add("a", LongType).add("b", StringType)
  private val schema = new StructType()
    .add("key", inner)
    .add("list", ArrayType(IntegerType))
    .add("map", MapType(StringType, DecimalType(20, 3)))
    .add("double", DoubleType)
    .add("bytes", BinaryType)
    .add("truth", BooleanType)

  private def text(of: String): UTF8String = UTF8String.fromString(of)

  private def row(number: Long, map: Seq[(String, String)] = Seq("x" -> "1.5", "y" -> "2.000")): InternalRow = {
    val (keys, values) = map.unzip
    val decimals = values.map(value => Decimal(BigDecimal(value), 20, 3))
    InternalRow(
      InternalRow(number, text(s"text $number")),
      ArrayData.toArrayData(Array[Any](1, null, 3)),
      new ArrayBasedMapData(
        ArrayData.toArrayData(keys.map(text).toArray),
        ArrayData.toArrayData(decimals.toArray[Any])
      ),
      number / 2.0,
      Array[Byte](1, 2),
      number % 2 == 0
    )
  }

  private def digest(of: StructType, rows: Iterable[InternalRow]): RowTotals =
    rows.foldLeft(RowTotals.none)((totals, row) => totals + RowDigest.of(of, hasDigest = true)(row))

  test("the order of rows and of a map's entries does not count, and neither does what they lie in") {
    val rows = (0L until 20).map(row(_))
    val unsafe = UnsafeProjection.create(schema)
    val turned = (0L until 20).reverse.map(row(_, Seq("y" -> "2.000", "x" -> "1.5")))
    val all = digest(schema, rows)
    assert(all.rows == 20)
    assert(digest(schema, turned) == all)
    assert(digest(schema, rows.map(unsafe(_).copy())) == all)
    val (some, others) = rows.partition(_.getStruct(0, 2).getLong(0) % 3 == 0)
    assert(digest(schema, others) + digest(schema, some) == all)
  }

  test("it is what it says, in every version") {
    def expected(seed: Long): Long =
      XXH64.hashInt(0, XXH64.hashLong(7, XXH64.hashInt(1, XXH64.hashInt(1, seed))))
    val key = new StructType().add("key", inner)
    assert(digest(key, Seq(InternalRow(InternalRow(7L, null)))) == RowTotals(1, expected(42), expected(-43)))
  }

  private def differ(of: DataType, cells: Any*): Unit = {
    val type1 = new StructType().add("cell", of)
    val found = cells.map(cell => digest(type1, Seq(InternalRow(cell))))
    assert(found.distinct.size == cells.size, of)
  }

  private def list(of: Any*): ArrayData = ArrayData.toArrayData(of.toArray)

  private def map(of: (Any, Any)*): ArrayBasedMapData = {
    val (keys, values) = of.unzip
    new ArrayBasedMapData(list(keys: _*), list(values: _*))
  }

  test("whatever differs in a row gives another") {
    differ(LongType, null, 0L, 1L, -1L)
    differ(ByteType, null, 0.toByte, 1.toByte)
    differ(BooleanType, null, false, true)
    differ(DoubleType, null, 0.0, -0.0, 1.0, Double.NaN, Double.MinPositiveValue)
    differ(FloatType, null, 0f, -0f, 1f, Float.NaN)
    differ(StringType, null, text(""), text("a"), text("a\u0000"))
    differ(BinaryType, null, Array[Byte](), Array[Byte](0))
    differ(DecimalType(38, 18), null, Decimal("0"), Decimal("0.000000000000000001"), Decimal(1), Decimal(10))
    differ(inner, null, InternalRow(null, null), InternalRow(1L, null), InternalRow(null, text("1")))
    differ(ArrayType(LongType), null, list(), list(null), list(null, null), list(1L, 2L), list(2L, 1L))
    differ(ArrayType(ArrayType(LongType)), list(list(1L), list()), list(list(), list(1L)), list(list(1L)))
    differ(MapType(LongType, LongType), null, map(), map(1L -> 2L), map(2L -> 1L), map(1L -> 2L, 2L -> 1L))
    val swapped = map(1L -> 3L, 2L -> 4L)
    differ(MapType(LongType, LongType), swapped, map(1L -> 4L, 2L -> 3L), map(1L -> null, 2L -> null))
  }

  test("a type whose bytes formats do not keep is named") {
    val of = new StructType().add("list", ArrayType(MapType(StringType, CalendarIntervalType))).add("n", LongType)
    assert(RowDigest.unknown(of) == Vector(CalendarIntervalType))
    assert(RowDigest.unknown(schema).isEmpty)
    intercept[IllegalStateException](
      digest(new StructType().add("i", CalendarIntervalType), Seq(InternalRow(new CalendarInterval(1, 2, 3))))
    )
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, ArrayData}
import org.apache.spark.sql.types._

class NeverNullSuite extends AnyFunSuite {
  private val inner = new StructType().add("may", LongType).add("never", LongType, nullable = false)

  private def found(of: DataType, cell: Any, isNullable: Boolean = true): Option[String] =
    NeverNull.in(new StructType().add("n", LongType).add("c", of, isNullable))(InternalRow(null, cell))

  private def list(cells: Any*): ArrayData = ArrayData.toArrayData(cells.toArray)
  private def map(key: Any, value: Any): ArrayBasedMapData = new ArrayBasedMapData(list(key), list(value))

  private val whole = InternalRow(null, 1L)
  private val hole = InternalRow(1L, null)

  test("nulls are where the schema has them") {
    assert(found(LongType, null).isEmpty && found(LongType, 1L, isNullable = false).isEmpty)
    assert(found(NullType, null, isNullable = false).isEmpty)
    assert(found(inner, null).isEmpty && found(inner, whole, isNullable = false).isEmpty)
    assert(found(ArrayType(inner), list(null, whole)).isEmpty)
    assert(found(MapType(inner, inner), map(whole, null)).isEmpty)
    assert(found(MapType(LongType, LongType, valueContainsNull = false), map(1L, 1L)).isEmpty)
  }

  test("a null where the schema has none is named, however deep") {
    assert(found(LongType, null, isNullable = false).contains("c"))
    assert(found(inner, hole).contains("c.never"))
    assert(found(new StructType().add("s", inner), InternalRow(hole)).contains("c.s.never"))
    assert(found(ArrayType(LongType, containsNull = false), list(1L, null)).contains("c.element"))
    assert(found(ArrayType(inner), list(null, whole, hole)).contains("c.element.never"))
    assert(found(MapType(LongType, LongType, valueContainsNull = false), map(1L, null)).contains("c.value"))
    assert(found(MapType(LongType, inner), map(1L, hole)).contains("c.value.never"))
    assert(found(MapType(inner, LongType), map(hole, 1L)).contains("c.key.never"))
  }
}

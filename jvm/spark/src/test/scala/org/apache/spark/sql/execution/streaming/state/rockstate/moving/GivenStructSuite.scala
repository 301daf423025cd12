package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.{ArrayType, DoubleType, FloatType, LongType, StructType}

import io.rockstate.errors.Misuse

class GivenStructSuite extends AnyFunSuite {
  private val columns = new StructType().add("n", LongType).add("m", LongType)
  private val state = new StructType().add("n", LongType, nullable = false).add("m", LongType)
  private val row = GivenStruct(state, Some(0), columns).projection

  test("keys that are equal in SQL are one where the operator takes them for one") {
    val state = new StructType().add("d", DoubleType).add("f", ArrayType(FloatType))
    val otherNaN = java.lang.Double.longBitsToDouble(0x7ff8000000000001L)
    def key(d: Double, f: Float) = InternalRow(InternalRow(d, new GenericArrayData(Array(f))))
    def made(isNormalized: Boolean) = {
      val projection = GivenStruct(state, Some(0), state, isNormalized).projection
      Seq(key(0.0, 0.0f), key(-0.0, -0.0f), key(Double.NaN, Float.NaN), key(otherNaN, Float.NaN))
        .map(projection(_).copy())
    }
    val same = made(isNormalized = true)
    assert(same(0) == same(1) && same(2) == same(3) && same(0) != same(2))
    assert(made(isNormalized = false).distinct.size == 4)
  }

  test("a null where the state has none is refused, and elsewhere kept") {
    assert(row(InternalRow(InternalRow(1L, null))).isNullAt(1))
    val failure = intercept[Misuse](row(InternalRow(InternalRow(null, 2L))))
    assert(failure.problem.contains("a null in n"))
    intercept[Misuse](row(InternalRow(null)))
  }
}

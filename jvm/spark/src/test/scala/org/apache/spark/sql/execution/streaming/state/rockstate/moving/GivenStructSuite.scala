package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{LongType, StructType}

import io.rockstate.errors.Misuse

class GivenStructSuite extends AnyFunSuite {
  private val columns = new StructType().add("n", LongType).add("m", LongType)
  private val state = new StructType().add("n", LongType, nullable = false).add("m", LongType)
  private val row = GivenStruct(state, Some(0), columns).projection

  test("a null where the state has none is refused, and elsewhere kept") {
    assert(row(InternalRow(InternalRow(1L, null))).isNullAt(1))
    val failure = intercept[Misuse](row(InternalRow(InternalRow(null, 2L))))
    assert(failure.problem.contains("a null in n"))
    intercept[Misuse](row(InternalRow(null)))
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.{NoPrefixKeyStateEncoderSpec, StateStoreColFamilySchema}
import org.apache.spark.sql.types.{LongType, StructType}

class FamilyPlanSuite extends AnyFunSuite {
  private val key = new StructType().add("k", LongType)

  private def family(name: String): FamilyPlan =
    FamilyPlan(StateStoreColFamilySchema(name, 0, key, 0, key), NoPrefixKeyStateEncoderSpec(key), isMultiValued = false)

  test("what is kept beside a variable is told from what is beside one whose name ends alike") {
    assert(family("$ttl_a_b").isBeside(family("a_b")))
    assert(!family("$ttl_a_b").isBeside(family("b")))
    assert(!family("a_b").isBeside(family("b")))
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.{operators, runtime}

/** Spark's classes that only tests need, where 4.1 and later have them. */
object MovedInTests {
  type MemoryStream[A] = runtime.MemoryStream[A]
  type StreamingQueryWrapper = runtime.StreamingQueryWrapper
  type SymmetricHashJoinStateManager = operators.stateful.join.SymmetricHashJoinStateManager

  val MemoryStream: runtime.MemoryStream.type = runtime.MemoryStream
}

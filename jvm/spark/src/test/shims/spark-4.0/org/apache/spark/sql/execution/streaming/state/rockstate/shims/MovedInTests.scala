package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming

/** Spark's classes that only tests need, where 4.0 has them. */
object MovedInTests {
  type MemoryStream[A] = streaming.MemoryStream[A]
  type StreamingQueryWrapper = streaming.StreamingQueryWrapper
  type SymmetricHashJoinStateManager = streaming.state.SymmetricHashJoinStateManager

  val MemoryStream: streaming.MemoryStream.type = streaming.MemoryStream
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.util.UUID

import scala.annotation.unused

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException

/** Spark 4.0's coordinator hears of no commits. */
private[conformance] object CommitTracking {
  def track(@unused runId: UUID, @unused version: Long, @unused id: StateStoreId): Unit = lacking()

  def validate(@unused runId: UUID, @unused version: Long): Unit = lacking()

  private def lacking(): Nothing = throw new UsageException("this Spark has no commit validation")
}

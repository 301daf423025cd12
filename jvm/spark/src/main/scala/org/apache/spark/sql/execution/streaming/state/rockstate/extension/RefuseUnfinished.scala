package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Inspection

import io.rockstate.errors.Conflict

/** Refuses a streaming query on a checkpoint that a command of ours was cut off in, whatever its provider: Spark 4.0 and 4.1 would start it,
  * under another id or without part of its state.
  */
private[extension] final class RefuseUnfinished(session: SparkSession) extends (LogicalPlan => Unit) {
  override def apply(plan: LogicalPlan): Unit = plan match {
    case write: WriteToStream =>
      // Python knows an `IllegalArgumentException`, and shows its message alone.
      unfinishedIn(write.resolvedCheckpointLocation).foreach(e => throw new IllegalArgumentException(e.getMessage, e))
    case _ =>
  }

  /** A checkpoint that cannot be looked into is the query's own business. */
  private def unfinishedIn(checkpoint: String): Option[Conflict] =
    try Inspection(session.sessionState.newHadoopConf()).unfinished(checkpoint)
    catch { case NonFatal(_) => None }
}

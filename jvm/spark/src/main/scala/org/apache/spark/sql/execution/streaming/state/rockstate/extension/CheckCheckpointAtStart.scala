package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{AtStart, Inspection}
import org.apache.spark.sql.internal.SQLConf

/** Looks into the checkpoint of a streaming query that starts.
  *
  *   - Refuses one that a command of ours was cut off in, whatever its provider: Spark 4.0 and 4.1 would start the query, under another id or
  *     without part of its state.
  *   - Says in the driver's log that the query does not keep its state in Rockstate though its session names it: Spark goes on with the provider
  *     that the checkpoint was begun with, without a word.
  *   - Has it go on with its checkpoint format, too.
  */
private[extension] final class CheckCheckpointAtStart(session: SparkSession)
    extends (LogicalPlan => Unit)
    with Logging {
  private val formats = new FormatAtStart(session)

  override def apply(plan: LogicalPlan): Unit = plan match {
    case write: WriteToStream =>
      val checkpoint = write.resolvedCheckpointLocation
      val found = foundIn(checkpoint)
      // Python knows an `IllegalArgumentException`, and shows its message alone.
      found.flatMap(_.unfinished).foreach(e => throw new IllegalArgumentException(e.getMessage, e))
      val ours = found.filter(_ => ProviderClass.isIn(session.sessionState.conf))
      ours
        .flatMap(_.provider)
        .filterNot(ProviderClass.isOurs)
        .foreach(other => logWarning(isElsewhere(checkpoint, other)))
      formats.goOnWith(ours.flatMap(_.format))
    case _ =>
  }

  /** A checkpoint that cannot be looked into is the query's own business. */
  private def foundIn(checkpoint: String): Option[AtStart] =
    try Some(Inspection(session.sessionState.newHadoopConf()).atStart(checkpoint))
    catch { case NonFatal(_) => None }

  private def isElsewhere(checkpoint: String, provider: String): String =
    s"THE STATE OF THIS QUERY IS NOT IN ROCKSTATE. Its checkpoint $checkpoint was begun with $provider, and Spark goes on with that, " +
      s"whatever ${SQLConf.STATE_STORE_PROVIDER_CLASS.key} says. To move the state, stop the query, run " +
      s"`rockstate migrate $checkpoint NEW --to rockstate`, and start it with NEW as its checkpointLocation."
}

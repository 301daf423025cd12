package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Inspection
import org.apache.spark.sql.internal.SQLConf

/** Says in the driver's log, when a query starts, that it does not keep its state in Rockstate though its session names it: Spark goes on
  * with the provider that the checkpoint was begun with, without a word.
  */
private[extension] final class TellOfOtherProvider(session: SparkSession) extends (LogicalPlan => Unit) with Logging {
  override def apply(plan: LogicalPlan): Unit = plan match {
    case write: WriteToStream if ProviderClass.isIn(SQLConf.get) => warningOf(write).foreach(text => logWarning(text))
    case _ =>
  }

  /** A checkpoint that cannot be looked into is the query's own business. */
  private def warningOf(write: WriteToStream): Option[String] =
    try {
      val checkpoint = write.resolvedCheckpointLocation
      val inspection = Inspection(session.sessionState.newHadoopConf())
      inspection.providerOfState(checkpoint).filterNot(ProviderClass.isOurs).map { provider =>
        s"THE STATE OF THIS QUERY IS NOT IN ROCKSTATE. Its checkpoint $checkpoint was begun with $provider, and Spark goes on with that, " +
          s"whatever ${SQLConf.STATE_STORE_PROVIDER_CLASS.key} says. To move the state, stop the query, run " +
          s"`rockstate migrate $checkpoint NEW --to rockstate`, and start it with NEW as its checkpointLocation."
      }
    } catch { case NonFatal(_) => None }
}

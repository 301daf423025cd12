package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.streaming.WriteToStream
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.{MemoryInForce, ProviderClass, ProviderConf}
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.StateStoreException

/** Refuses a streaming query whose session has an option that does not exist or is not valid: `start()` throws, and no task is run.
  *
  * Spark analyses a query's writing node when it starts. A session that got the jar later has no such rule, and there the first task fails.
  */
private[extension] object CheckOptionsAtStart extends (LogicalPlan => Unit) {
  override def apply(plan: LogicalPlan): Unit = plan match {
    case _: WriteToStream if ProviderClass.isIn(SQLConf.get) => check(SQLConf.get)
    case _ =>
  }

  /** Python knows an `IllegalArgumentException`, and shows its message alone. */
  private def check(conf: SQLConf): Unit =
    try MemoryInForce.ask(ProviderConf.ofSession(conf))
    catch { case e: StateStoreException => throw new IllegalArgumentException(e.getMessage, e) }
}

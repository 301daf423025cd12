package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.SparkContext
import org.apache.spark.sql.SparkSession

/** The Spark of this process, which an executor's code does not find: it has an environment, and neither context nor session. */
private[conformance] object LabSpark {
  val context: Option[SparkContext] = SparkContext.getActive

  /** Nobody finds it from now on who asks on this thread, or on one that it starts. */
  def hide(): Unit = if (context.isDefined) {
    SparkContext.clearActiveContext()
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import scala.collection.mutable

import org.apache.spark.sql.execution.streaming.state.rockstate.reports.CoordinatorReports
import org.apache.spark.sql.execution.streaming.state.rockstate.session.StoreContext

/** The stores that this JVM has open, by the key of their folders. Spark closes those of a query that was stopped at its next maintenance; a run
  * that begins before then would not find their databases.
  */
private[provider] object EndedRuns {
  private val open = mutable.Map.empty[String, Vector[StoreContext]].withDefaultValue(Vector.empty)

  def note(key: String, context: StoreContext): Unit = synchronized(open(key) :+= context)

  def forget(key: String, context: StoreContext): Unit = synchronized {
    val others = open(key).filterNot(_ eq context)
    if (others.isEmpty) open -= key else open(key) = others
  }

  /** Closes the store's contexts whose query has ended, as who is about to open one knows. */
  def close(key: String, opener: CoordinatorReports): Unit = synchronized(open(key)).foreach(_.closeIfEnded(opener))
}

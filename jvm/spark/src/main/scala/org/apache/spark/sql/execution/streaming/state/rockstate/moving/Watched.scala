package org.apache.spark.sql.execution.streaming.state.rockstate.moving

/** What takes jobs. Another thread may look how far it is, and end it. */
trait Watched {

  /** The phase that it is in; none before its first job. */
  def progress: Option[PhaseReport]

  /** Ends it if it is not at its end yet: it fails in its own thread. */
  def cancel(): Unit
}

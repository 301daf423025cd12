package org.apache.spark.sql.execution.streaming.state.rockstate.session

import org.apache.spark.sql.execution.streaming.state.StateStoreErrors
import org.apache.spark.sql.execution.streaming.state.rockstate.session.StoreSession._

import io.rockstate.engine.api.Transaction
import io.rockstate.versions.StateVersion

/** One engine transaction in the states that Spark knows a store to be in. A read store and the write store it is upgraded to share it.
  *
  * Updating goes to any other state, a failed commit only to aborted; committed, aborted and released are final.
  */
private[rockstate] final class StoreSession(val transaction: Transaction) {
  @volatile private var state: State = Updating

  def base: StateVersion = transaction.base

  /** The transaction, for reading and writing; Spark's out-of-order error once it has ended.
    *
    * @param operation what is about to be done, completing "Cannot ..."
    */
  def running(operation: String): Transaction = {
    if (state ne Updating) throw outOfOrder(operation)
    transaction
  }

  def commit(): StateVersion = synchronized {
    running("commit")
    state = CommitFailed
    val version = transaction.commit()
    state = Committed(version)
    version
  }

  /** Drops the writes; does nothing if the session was aborted or released before. */
  def abort(): Unit = end(Aborted)

  /** Lets go of a version that was only read; does nothing if the session was aborted or released before. */
  def release(): Unit = end(Released)

  /** Whether this session still holds its transaction. */
  def isOpen: Boolean = state == Updating || state == CommitFailed

  def committed: Option[StateVersion] = state match {
    case Committed(version) => Some(version)
    case _ => None
  }

  private def end(next: State): Unit = synchronized {
    state match {
      case Updating | CommitFailed =>
        state = next
        transaction.abort()
      case Aborted | Released =>
      case Committed(_) => throw outOfOrder(next.arrival)
    }
  }

  private def outOfOrder(operation: String): Throwable =
    StateStoreErrors.stateStoreOperationOutOfOrder(s"Cannot $operation after ${state.name}")
}

private[rockstate] object StoreSession {

  /** @param name    as Spark's own stores name it in their errors
    * @param arrival what leads into it
    */
  private sealed abstract class State(val name: String, val arrival: String)
  private case object Updating extends State("UPDATING", "update")
  private case object CommitFailed extends State("a failed commit", "commit")
  private final case class Committed(version: StateVersion) extends State("COMMITTED", "commit")
  private case object Aborted extends State("ABORTED", "abort")
  private case object Released extends State("RELEASED", "release")
}

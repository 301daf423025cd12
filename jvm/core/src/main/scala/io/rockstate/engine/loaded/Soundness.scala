package io.rockstate.engine.loaded

import java.nio.file.Path

import io.rockstate.errors.Unavailable

/** Whether a local database is what its version record says: of a change that did not end a part may be in it, and what is half applied
  * cannot be applied again, for merges would count twice. Only the views that were taken of it before are of use then.
  */
private[loaded] final class Soundness(folder: Path) {
  @volatile private var isHalfApplied = false
  @volatile private var cause: Option[Unavailable] = None

  def isLost: Boolean = isHalfApplied

  /** Runs a change that loses the database if it fails. That is noted before anything else: for want of memory the rest may fail, too. */
  def lostUnlessDone[T](change: => T): T =
    try change
    catch {
      case failure: Throwable =>
        isHalfApplied = true
        if (cause.isEmpty) cause = Some(causeOf(failure))
        throw failure
    }

  /** Throws what the database was lost by, if it was. */
  def check(): Unit = if (isLost) {
    val first = cause.getOrElse(unfinished())
    throw new Unavailable(
      s"The local database was given up because changes could not be applied to it: ${first.problem}",
      s"Nothing is lost: the store is recovered from storage when it is next used. ${first.remedy}",
      Some(folder.toString),
      cause = first
    )
  }

  /** Of a change that did not end, nobody knows how. */
  def unfinished(): Unavailable = new Unavailable(
    "Applying a delta to the local database did not end",
    "The log of the task that did it says why.",
    Some(folder.toString)
  )

  private def causeOf(failure: Throwable): Unavailable = failure match {
    case known: Unavailable => known
    case _ => unfinished()
  }
}

package io.rockstate.errors

import scala.util.control.NonFatal

/** Undoes what was begun if the rest of it fails, be it by an interrupt or an `Error`: `NonFatal` leaves those out. That failure is what is
  * thrown, whatever the undoing meets.
  */
object OnFailure {
  def apply[T](undo: => Unit)(body: => T): T =
    try body
    catch {
      case failure: Throwable =>
        try undo
        catch { case NonFatal(e) => if (e ne failure) failure.addSuppressed(e) }
        throw failure
    }
}

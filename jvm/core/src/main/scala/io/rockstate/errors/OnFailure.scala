package io.rockstate.errors

/** Undoes what was begun if the rest of it fails, be it by an interrupt or an `Error`: `NonFatal` leaves those out. */
object OnFailure {
  def apply[T](undo: => Unit)(body: => T): T = {
    var isDone = false
    try {
      val result = body
      isDone = true
      result
    } finally if (!isDone) undo
  }
}

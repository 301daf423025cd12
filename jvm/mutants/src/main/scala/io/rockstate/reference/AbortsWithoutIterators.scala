package io.rockstate.reference

/** A store that does not abort while an iterator is not at its end. */
trait AbortsWithoutIterators extends WatchesItsIterators {
  override def abort(): Unit = {
    requireNoneOpen("abort")
    super.abort()
  }
}

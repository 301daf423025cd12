package io.rockstate.reference

/** A store that does not commit while an iterator is not at its end. */
trait WaitsForItsIterators extends WatchesItsIterators {
  override def commit(): Long = {
    requireNoneOpen("commit")
    super.commit()
  }
}

package io.rockstate.reference

import java.util.ConcurrentModificationException

import scala.annotation.unused

import io.rockstate.reference.ReferenceStore.Opening

/** A store that knows which of its iterators are not at their end. */
class WatchesItsIterators(
    provider: ReferenceStoreProvider,
    base: Version,
    before: Contents,
    opening: Opening
) extends ReferenceStore(provider, base, before, opening) {
  private var open: Set[Iterator[_]] = Set.empty

  /** What becomes of an iterator over rows of the family. */
  protected def watched[A](all: Iterator[A], @unused family: String): Iterator[A] = {
    open += all
    all
  }

  protected def requireNoneOpen(operation: String): Unit =
    if (open.exists(_.hasNext)) throw new ConcurrentModificationException(s"Cannot $operation: an iterator is open")
}

package io.rockstate.reference

import java.util.ConcurrentModificationException

import io.rockstate.reference.ReferenceStore.Opening

/** A store that does not commit while an iterator is neither at its end nor closed. */
class WaitsForItsIterators(
    provider: ReferenceStoreProvider,
    base: Version,
    before: Contents,
    opening: Opening
) extends ReferenceStore(provider, base, before, opening) {
  private var open: Set[Iterator[_]] = Set.empty

  protected def watched[A](all: Iterator[A]): Iterator[A] = {
    open += all
    all
  }

  override def commit(): Long = {
    if (open.exists(_.hasNext)) throw new ConcurrentModificationException("Cannot commit: an iterator is open")
    super.commit()
  }
}

package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Opening

/** A store that does not abort while an iterator is not at its end. */
class AbortsWithoutIterators(
    provider: ReferenceStoreProvider,
    base: Version,
    before: Contents,
    opening: Opening
) extends WatchesItsIterators(provider, base, before, opening) {
  override def abort(): Unit = {
    requireNoneOpen("abort")
    super.abort()
  }
}

package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Opening

/** A store that does not commit while an iterator is not at its end. */
class WaitsForItsIterators(
    provider: ReferenceStoreProvider,
    base: Version,
    before: Contents,
    opening: Opening
) extends WatchesItsIterators(provider, base, before, opening) {
  override def commit(): Long = {
    requireNoneOpen("commit")
    super.commit()
  }
}

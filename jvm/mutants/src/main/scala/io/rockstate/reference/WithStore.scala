package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.WithStore.Make

/** A mutant whose fault is in its stores. */
abstract class WithStore(make: Make) extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    make(this, base, before, opening)
}

object WithStore {
  type Make = (ReferenceStoreProvider, Version, Contents, Opening) => ReferenceStore
}

package io.rockstate.reference

/** A mutant whose fault is in its stores for reading. */
abstract class WithReadStore(make: (ReferenceStoreProvider, Version, Contents) => ReadStore)
    extends ReferenceStoreProvider {
  override protected def readStore(base: Version, contents: Contents): ReadStore = make(this, base, contents)
}

package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Opening

/** A version for reading; upgraded, it shows what the write store has made of it so far. */
class ReadStore(provider: ReferenceStoreProvider, base: Version, before: Contents)
    extends ReferenceStore(provider, base, before, Opening()) {
  @volatile var upgradedTo: Option[ReferenceStore] = None

  override def contents: Contents = upgradedTo.fold(super.contents)(_.contents)

  override def commit(): Long = refuse("commit")

  override protected def write(change: Change): Unit = refuse("write to")

  private def refuse(operation: String): Nothing =
    throw new UnsupportedOperationException(s"Cannot $operation a store that is for reading")
}

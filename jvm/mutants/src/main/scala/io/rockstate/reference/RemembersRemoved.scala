package io.rockstate.reference

import scala.collection.concurrent.TrieMap

import io.rockstate.reference.ReferenceStore.Opening

/** A store that leaves the families it removes in a map of its provider's, as they were. */
class RemembersRemoved(
    provider: ReferenceStoreProvider,
    base: Version,
    before: Contents,
    opening: Opening,
    removed: TrieMap[String, Family]
) extends ReferenceStore(provider, base, before, opening) {
  override def removeColFamilyIfExists(family: String): Boolean = {
    contents.families.get(family).foreach(removed(family) = _)
    super.removeColFamilyIfExists(family)
  }

  /** Called for a family that has just been created. */
  protected def created(family: String): Unit = ()

  override protected def write(change: Change): Unit = {
    super.write(change)
    change match {
      case CreateFamily(family, _) => created(family)
      case _ =>
    }
  }
}

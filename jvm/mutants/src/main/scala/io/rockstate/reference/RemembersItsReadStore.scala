package io.rockstate.reference

/** A mutant that knows the last store that was opened for reading. */
abstract class RemembersItsReadStore extends ReferenceStoreProvider {
  @volatile protected var last: Option[ReadStore] = None

  override protected def readStore(base: Version, contents: Contents): ReadStore = {
    val opened = super.readStore(base, contents)
    last = Some(opened)
    opened
  }
}

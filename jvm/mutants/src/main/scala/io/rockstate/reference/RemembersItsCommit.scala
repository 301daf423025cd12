package io.rockstate.reference

/** A mutant that goes by what it has committed last. */
abstract class RemembersItsCommit extends ReferenceStoreProvider {
  @volatile protected var last: Option[Version] = None

  override def commit(store: ReferenceStore): ReferenceStore.Committed = {
    val committed = super.commit(store)
    last = Some(committed.version)
    committed
  }
}

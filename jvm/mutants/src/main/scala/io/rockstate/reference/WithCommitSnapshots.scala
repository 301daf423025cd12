package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Committed

/** A mutant whose fault is in the snapshots that commits are told to make.
  *
  * @param inSnapshot what they have of a store
  */
abstract class WithCommitSnapshots(inSnapshot: ReferenceStore => Contents) extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = {
    val committed = super.commit(store)
    if (store.opening.takesSnapshot) files.writeSnapshot(committed.version, inSnapshot(store))
    committed
  }
}

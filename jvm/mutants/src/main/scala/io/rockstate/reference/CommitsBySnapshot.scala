package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Committed

/** A mutant whose commits write a snapshot in place of a delta, where they are told to make one. */
abstract class CommitsBySnapshot extends ReferenceStoreProvider {

  /** Writes the snapshot; its bytes. */
  protected def write(version: Version, contents: Contents): Int

  override def commit(store: ReferenceStore): Committed =
    if (!store.opening.takesSnapshot) super.commit(store)
    else {
      val next = Version(store.base.number + 1, Option.when(conf.enableStateStoreCheckpointIds)(newId()))
      forgetReplaced(next)
      Committed(next, write(next, store.contents))
    }
}

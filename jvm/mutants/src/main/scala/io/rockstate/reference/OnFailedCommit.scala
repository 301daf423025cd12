package io.rockstate.reference

import java.io.IOException

import io.rockstate.reference.ReferenceStore.Committed

/** A mutant that does not forget a commit which could not be written. */
abstract class OnFailedCommit extends ReferenceStoreProvider {

  /** Takes note of the store whose commit has failed. */
  protected def failed(store: ReferenceStore): Unit

  override def commit(store: ReferenceStore): Committed =
    try super.commit(store)
    catch {
      case failure: IOException =>
        failed(store)
        throw failure
    }
}

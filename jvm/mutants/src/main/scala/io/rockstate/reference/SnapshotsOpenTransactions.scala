package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.SnapshotFile

/** A mutant whose snapshots of a version have what the open transaction on it has done so far. */
abstract class SnapshotsOpenTransactions extends ReferenceStoreProvider {
  @volatile private var last: Option[ReferenceStore] = None

  /** What the snapshot has of it. */
  protected def seen(store: ReferenceStore): Contents

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val opened = super.store(base, before, opening)
    last = Some(opened)
    opened
  }

  override protected def takeSnapshotIfDue(version: Version): Unit = {
    super.takeSnapshotIfDue(version)
    last
      .filter(store => store.isOpen && store.base == version && files.exists(version, SnapshotFile))
      .foreach(store => files.writeSnapshot(version, seen(store)))
  }
}

package io.rockstate.mutants

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.SnapshotFile

/** A snapshot of a version has what the open transaction on it has written so far. */
class SnapshotsUncommittedRows extends ReferenceStoreProvider {
  @volatile private var last: Option[ReferenceStore] = None

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val opened = super.store(base, before, opening)
    last = Some(opened)
    opened
  }

  override protected def takeSnapshotIfDue(version: Version): Unit = {
    super.takeSnapshotIfDue(version)
    last.filter(store => store.isOpen && store.base == version && files.exists(version, SnapshotFile)).foreach { store =>
      files.writeSnapshot(version, store.contents)
    }
  }
}

/** Maintenance deletes one version more than it may: the snapshot that the retained ones start from. */
class DeletesSnapshotStillNeeded extends ReferenceStoreProvider {
  override protected def isObsolete(old: Version, start: Version): Boolean = old.number <= start.number
}

/** Maintenance deletes nothing. */
class KeepsOldFilesForEver extends ReferenceStoreProvider {
  override protected def isObsolete(old: Version, start: Version): Boolean = false
}

/** Maintenance writes the oldest snapshot again, and deletes it before: a crash between the two loses it. */
class DeletesSnapshotBeforeWritingIt extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit = {
    super.retire(version)
    files.list().collect { case (old, SnapshotFile) => old }.minByOption(_.number).foreach { oldest =>
      val contents = files.snapshot(oldest)
      files.delete(oldest, SnapshotFile)
      files.writeSnapshot(oldest, contents)
    }
  }
}

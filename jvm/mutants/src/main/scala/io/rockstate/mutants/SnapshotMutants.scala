package io.rockstate.mutants

import java.io.IOException

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Opening}

/** The snapshot that a commit is told to make has what its base has. */
class CommitSnapshotsItsBase extends WithCommitSnapshots(_.before)

/** A commit that is told to make a snapshot makes none. */
class CommitMakesNoSnapshotOfItsOwn extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    super.store(base, before, opening.copy(takesSnapshot = false))
}

/** A snapshot has the rows that were deleted by range. */
class SnapshotKeepsDeletedRanges extends WithSnapshots {
  private val deleted = TrieMap.empty[String, Map[UnsafeRow, Vector[UnsafeRow]]]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
        deleted(family) = deleted.getOrElse(family, Map.empty) ++ ranged(Some(begin), Some(end), family)
        super.deleteRange(begin, end, family)
      }
    }

  override protected def inSnapshot(contents: Contents): Contents =
    contents.withRows((family, rows) => deleted.getOrElse(family, Map.empty) ++ rows)
}

/** A snapshot has what came before a version that was started empty. */
class SnapshotIgnoresAnEmptyStart extends ReferenceStoreProvider {
  override protected def snapshotOf(version: Version): Contents = new History(files) {
    override protected def applied(delta: Delta)(load: Version => Contents): Contents =
      super.applied(delta.copy(startsEmpty = false))(load)
  }.load(version)
}

/** A snapshot has the families that were removed, with their rows. */
class SnapshotKeepsRemovedFamilies extends WithSnapshots {
  private val removed = TrieMap.empty[String, Family]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new RemembersRemoved(this, base, before, opening, removed)

  override protected def inSnapshot(contents: Contents): Contents = Contents(removed.toMap ++ contents.families)
}

/** A snapshot lacks the rows whose values have a null. */
class SnapshotLosesValuesWithNulls extends ChangesSnapshots(_.filterNot(_._2.exists(_.anyNull)))

/** A snapshot has the first thousand rows of each family. */
class SnapshotEndsAfterThousandRows extends ChangesSnapshots(_.take(1000))

/** A snapshot lacks the rows whose values are longer than 4 KB. */
class SnapshotLosesLongValues extends ChangesSnapshots(_.filterNot(_._2.exists(_.getSizeInBytes > 4096)))

/** A commit that is told to make a snapshot writes no delta. */
class CommitWithASnapshotWritesNoDelta extends CommitsBySnapshot {
  override protected def write(version: Version, contents: Contents): Int = files.writeSnapshot(version, contents)
}

/** A commit that is told to make a snapshot succeeds though it could not write it. */
class CommitSucceedsWithoutItsSnapshot extends CommitsBySnapshot {
  override protected def write(version: Version, contents: Contents): Int =
    try files.writeSnapshot(version, contents)
    catch { case _: IOException => 0 }
}

/** A commit that is told to make a snapshot makes none if nothing was written. */
class CommitWithoutChangesMakesNoSnapshot extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = super.commit(
    if (store.changes.nonEmpty) store
    else new ReferenceStore(this, store.base, store.before, store.opening.copy(takesSnapshot = false))
  )
}

/** The snapshot of a version has what was aborted on it. */
class SnapshotsWhatWasAborted extends ReferenceStoreProvider {
  @volatile private var last: Option[ReferenceStore] = None

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    last = Some(super.store(base, before, opening))
    last.get
  }

  override protected def snapshotOf(version: Version): Contents = last
    .filter(store => store.base == version && !store.isOpen && !store.hasCommitted)
    .fold(super.snapshotOf(version))(_.contents)
}

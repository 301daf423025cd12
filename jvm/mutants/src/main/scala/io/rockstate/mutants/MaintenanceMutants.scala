package io.rockstate.mutants

import java.util.ConcurrentModificationException

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Opening, Row}
import io.rockstate.reference.StateFiles.{DeltaFile, SnapshotFile}

/** A snapshot of a version has what the open transaction on it has written so far. */
class SnapshotsUncommittedRows extends SnapshotsOpenTransactions {
  override protected def seen(store: ReferenceStore): Contents = store.contents
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

/** Maintenance deletes old deltas and leaves old snapshots. */
class KeepsOldSnapshotsForEver extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit =
    history.start(version, version.number - conf.minVersionsToRetain + 1).foreach { start =>
      files.list().collect { case (old, DeltaFile) if isObsolete(old, start) => files.delete(old, DeltaFile) }
    }
}

/** Maintenance leaves the files of one version in five. */
class KeepsSomeOldFilesForEver extends ReferenceStoreProvider {
  override protected def isObsolete(old: Version, start: Version): Boolean =
    super.isObsolete(old, start) && old.number % 5 != 0
}

/** Maintenance deletes the other attempts at the version that its executor has committed, one of which may be the version. */
class DeletesTheOtherAttempts extends ReferenceStoreProvider {
  @volatile private var own: Option[Version] = None

  override def commit(store: ReferenceStore): ReferenceStore.Committed = {
    val committed = super.commit(store)
    own = Some(committed.version)
    committed
  }

  override protected def retire(version: Version): Unit = {
    super.retire(version)
    files.list().foreach { case (other, kind) =>
      if (own.exists(ours => ours.number == other.number && ours != other)) files.delete(other, kind)
    }
  }
}

/** Maintenance takes a snapshot of the version that is due, and of none that is overdue. */
class MissesSnapshotsThatAreOverdue extends ReferenceStoreProvider {
  override protected def takeSnapshotIfDue(version: Version): Unit =
    if (history.start(version, version.number).exists(version.number - _.number <= conf.minDeltasForSnapshot))
      super.takeSnapshotIfDue(version)
}

/** Maintenance deletes the oldest version's files, and no more until it comes again. */
class DeletesOneVersionATime extends ReferenceStoreProvider {
  override protected def deleteBefore(start: Version): Unit = {
    val there = files.list()
    val oldest = there.map(_._1.number).minOption
    there.foreach { case (old, kind) =>
      if (oldest.contains(old.number) && isObsolete(old, start)) files.delete(old, kind)
    }
  }
}

/** Maintenance, on whatever thread, breaks the iterators that are open. */
class MaintenanceBreaksOpenIterators extends ReferenceStoreProvider {
  @volatile private var rounds = 0

  override def doMaintenance(): Unit = {
    super.doMaintenance()
    rounds += 1
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def rowsFor(rows: Seq[Row]): Iterator[Row] = {
        val known = rounds
        rows.iterator.map(row => if (rounds == known) row else throw new ConcurrentModificationException)
      }
    }
}

/** Maintenance on the thread of its own that Spark gives it ends the iterators that are open. */
class MaintenanceOnAnotherThreadEndsIterators extends ReferenceStoreProvider {
  @volatile private var rounds = 0
  @volatile private var task: Thread = _

  override def doMaintenance(): Unit = {
    super.doMaintenance()
    if (Thread.currentThread ne task) rounds += 1
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    task = Thread.currentThread
    new ReferenceStore(this, base, before, opening) {
      override protected def rowsFor(rows: Seq[Row]): Iterator[Row] = {
        val known = rounds
        rows.iterator.takeWhile(_ => rounds == known)
      }
    }
  }
}

/** A snapshot has no families that are empty. */
class SnapshotForgetsEmptyFamilies extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeSnapshot(version: Version, contents: Contents): Int = super.writeSnapshot(
        version,
        Contents(contents.families.filter { case (name, family) => name == "default" || family.rows.nonEmpty })
      )
    }
}

/** A snapshot does not tell which families are internal. */
class SnapshotForgetsWhichFamiliesAreInternal extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeSnapshot(version: Version, contents: Contents): Int = super.writeSnapshot(
        version,
        Contents(contents.families.view.mapValues(_.copy(isInternal = false)).toMap)
      )
    }
}

package io.rockstate.mutants

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.{DeltaFile, Kind, SnapshotFile}

/** Maintenance keeps twenty versions, however many it was told to. */
class KeepsTwentyVersionsAtMost extends ReferenceStoreProvider {
  override protected def retained: Int = math.min(super.retained, 20)
}

/** Told to keep one version, maintenance keeps none. */
class KeepsNoneWhereOneIsToBeKept extends ReferenceStoreProvider {
  override protected def isObsolete(old: Version, start: Version): Boolean =
    super.isObsolete(old, start) || (conf.minVersionsToRetain == 1 && old.number == start.number)
}

/** Maintenance takes the files that are listed first for the oldest, as their names would have it. */
class TakesTheFirstOfAListingForTheOldest extends KeepsTheLastOfAList {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def pathOf(version: Version, kind: Kind): Path = {
        val plain = super.pathOf(version, kind)
        new Path(this.folder, "0" * (20 - version.number.toString.length) + plain.getName)
      }
    }

  override protected def listed: Seq[Version] = files.list().map(_._1)
}

/** Maintenance takes the files with the earliest time of change for the oldest. */
class TakesTimesOfChangeForAnOrder extends KeepsTheLastOfAList {
  override protected def listed: Seq[Version] = {
    val times = files.statuses.map(status => status.getPath.getName -> status.getModificationTime).toMap
    files
      .list()
      .sortBy { case (version, kind) => times(s"${version.number}${version.id.fold("")("_" + _)}.${kind.extension}") }
      .map(_._1)
  }
}

/** A snapshot of a version has what the open transaction on it has done so far to families other than the default. */
class SnapshotsUncommittedFamilies extends SnapshotsOpenTransactions {
  override protected def seen(store: ReferenceStore): Contents = {
    val (default, others) = (StateStore.DEFAULT_COL_FAMILY_NAME, store.contents.families)
    Contents(others - default ++ store.before.families.filter(_._1 == default))
  }
}

/** Maintenance takes versions for older by their numbers as texts, padded to two digits. */
class TakesAHundredForOlderThan99 extends ReferenceStoreProvider {
  override protected def isObsolete(old: Version, start: Version): Boolean =
    f"${old.number}%02d" < f"${start.number}%02d"
}

/** Maintenance has versions in a byte. */
class TakesVersion256ForZero extends ReferenceStoreProvider {
  override protected def isObsolete(old: Version, start: Version): Boolean =
    (old.number & 0xff) < (start.number & 0xff)
}

/** An abort leaves a file with what was written. */
class AbortsLeaveTheirFiles extends ReferenceStoreProvider {
  private def isAborted(version: Version): Boolean = version.id.exists(_.startsWith("aborted-"))

  override protected def isObsolete(old: Version, start: Version): Boolean =
    super.isObsolete(old, start) && !isAborted(old)

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        if (isOpen) {
          files.writeDelta(Version(this.base.number + 1, Some(s"aborted-${newId()}")), Delta(this.base, false, changes))
        }
        super.abort()
      }
    }
}

/** Maintenance deletes files of the versions that others go on from, and leaves those of attempts that lost. */
class KeepsFilesOfLosersForEver extends ReferenceStoreProvider {
  override protected def deleteBefore(start: Version): Unit = {
    val before = Iterator.unfold(start) { each =>
      Option.when(files.exists(each, DeltaFile))(files.delta(each).base).map(base => base -> base)
    }
    for (old <- before.toList; kind <- Seq(DeltaFile, SnapshotFile) if files.exists(old, kind))
      files.delete(old, kind)
  }
}

/** Nothing is cleaned up as long as a store for reading is open, be it upgraded or not. */
class OpenReadStoreHoldsCleanUpBack extends RemembersItsReadStore {
  override protected def retire(version: Version): Unit = if (!last.exists(_.isOpen)) super.retire(version)
}

/** Maintenance keeps what comes after the newest snapshot that is old enough, be it of an attempt that lost. */
class KeepsFromAnyAttemptsSnapshot extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit = files
    .list()
    .collect { case (start, SnapshotFile) if start.number <= version.number - retained + 1 => start }
    .maxByOption(_.number)
    .foreach(deleteBefore)
}

/** Maintenance keeps a hundred versions, however many it was told to. */
class KeepsAHundredVersionsAtMost extends ReferenceStoreProvider {
  override protected def retained: Int = math.min(super.retained, 100)
}

package io.rockstate.mutants

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._
import io.rockstate.reference.StateFiles.Kind

/** Maintenance keeps twenty versions, however many it was told to. */
class KeepsTwentyVersionsAtMost extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit =
    history.start(version, version.number - math.min(conf.minVersionsToRetain, 20) + 1).foreach { start =>
      files.list().foreach { case (old, kind) => if (isObsolete(old, start)) files.delete(old, kind) }
    }
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
  @volatile private var statuses: () => Seq[FileStatus] = () => Nil

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    statuses = () => folder.getFileSystem(hadoopConf).listStatus(folder).toSeq
    super.filesIn(folder, hadoopConf)
  }

  override protected def listed: Seq[Version] = {
    val times = statuses().map(status => status.getPath.getName -> status.getModificationTime).toMap
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

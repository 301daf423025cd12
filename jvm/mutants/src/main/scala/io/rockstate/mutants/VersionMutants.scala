package io.rockstate.mutants

import java.io.{FileNotFoundException, IOException}

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Opening}
import io.rockstate.reference.StateFiles.DeltaFile

/** A version that is not there is taken for the newest one before it. */
class FallsBackToOlderVersion extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents =
    try super.load(version)
    catch {
      case _: FileNotFoundException =>
        val older = files.list().map(_._1).filter(_.number < version.number)
        older.maxByOption(_.number).fold(Contents.empty)(load)
    }
}

/** Whatever version is asked for, it has the rows of the newest. */
class LoadsNewestForAnyVersion extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents =
    super.load(files.list().map(_._1).filter(_.number > version.number).maxByOption(_.number).getOrElse(version))
}

/** A delta that is missing is taken for one without changes. */
class TakesMissingDeltaForEmpty extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def delta(version: Version): Delta =
        try super.delta(version)
        catch { case _: FileNotFoundException => Delta(before(version), startsEmpty = false, Nil) }

      private def before(version: Version): Version =
        list().map(_._1).find(_.number == version.number - 1).getOrElse(Version(version.number - 1, None))
    }
}

/** A read that fails is taken for a store without rows. */
class TakesFailedReadForEmpty extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents =
    try super.load(version)
    catch {
      case missing: FileNotFoundException => throw missing
      case damaged: IOException if damaged.getCause != null => throw damaged
      case _: IOException => Contents.empty
    }
}

/** A store that was to be empty starts with the rows of its base. */
class LoadsRowsWhereNoneWereWanted extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    super.store(base, if (opening.startsEmpty) load(base) else before, opening)
}

/** A store says that it has the version that it is going to make. */
class StoreTellsTheNextVersion
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def version: Long = super.version + 1
    })

/** An executor that made a version takes what it then had for any later one, which others have made since. */
class TakesItsOwnVersionForNewerOnes extends ReferenceStoreProvider {
  @volatile private var own: Option[(Version, Contents)] = None

  override def commit(store: ReferenceStore): Committed = {
    val committed = super.commit(store)
    own = Some(committed.version -> store.contents)
    committed
  }

  override protected def load(version: Version): Contents =
    own.collect { case (made, contents) if made.number <= version.number => contents }.getOrElse(super.load(version))
}

/** All partitions of an operator have their files in one folder. */
class PartitionsShareFiles extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    super.filesIn(new Path(stateStoreId.checkpointRootLocation, s"${stateStoreId.operatorId}/0"), hadoopConf)
}

/** An attempt at a version adds to what an earlier one wrote, instead of replacing it. */
class AttemptsAtOneVersionMix extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = {
    val earlier =
      files.list().collect { case (version, DeltaFile) if version.number == store.base.number + 1 => version }
    earlier.flatMap(files.delta(_).changes) ++ super.recorded(store)
  }
}

/** An attempt that finds its version made by another fails, and deletes the other's file. */
class FailedAttemptDeletesTheOther extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = {
    val next = Version(store.base.number + 1, None)
    if (files.exists(next, DeltaFile)) {
      files.delete(next, DeltaFile)
      throw new IOException(s"$next has been made by another attempt")
    }
    super.commit(store)
  }
}

/** A version that is written again keeps the snapshot of the attempt that it replaces. */
class KeepsSnapshotOfReplacedAttempt extends ReferenceStoreProvider {
  override protected def forgetReplaced(version: Version): Unit = ()
}

/** Every attempt of every version has the same id. */
class SharesIdBetweenAttempts extends ReferenceStoreProvider {
  override protected def newId(): String = "the-only-one"
}

/** A version is loaded from whichever attempt is listed last, whatever id was asked for. */
class IgnoresCheckpointId extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents =
    super.load(files.list().map(_._1).filter(_.number == version.number).maxByOption(_.id).getOrElse(version))
}

/** The executors of a JVM share what they committed under its version alone: who commits late replaces what the others have. */
class LateCommitChangesWinnersRows extends LoadsWhatIsShared(LateCommitChangesWinnersRows.shared) {
  override protected def known(version: Version): Version = version.copy(id = None)
}

private object LateCommitChangesWinnersRows {
  val shared: TrieMap[(Path, Version), Contents] = TrieMap.empty
}

/** A commit deletes all versions after its own. */
class LateCommitDeletesNewerVersions extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = {
    val committed = super.commit(store)
    files.list().foreach { case (version, kind) =>
      if (version.number > committed.version.number) files.delete(version, kind)
    }
    committed
  }
}

/** A version is loaded from the last 32 deltas, however many there are. */
class LoadsTheLast32Deltas extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents = new History(files) {
    override def load(each: Version): Contents =
      if (each.number < version.number - 32) Contents.empty else super.load(each)
  }.load(version)
}

/** A delta that is missing in the middle is passed over. */
class PassesOverMissingDeltas extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def load(version: Version): Contents = {
      val isMissing = !isThere(version) && files.list().exists(_._1.number > version.number)
      super.load(if (isMissing) version.copy(number = version.number - 1) else version)
    }
  }
}

package io.rockstate.mutants

import java.io.IOException

import org.apache.spark.sql.execution.streaming.state.ReadStateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Committed

/** What a commit could not write stays in memory, as the version that it was to become. */
class FailedCommitStaysVisible extends ReferenceStoreProvider {
  @volatile private var failed: Option[(Long, Contents)] = None

  override def commit(store: ReferenceStore): Committed =
    try super.commit(store)
    catch {
      case failure: IOException =>
        failed = Some(store.base.number + 1 -> store.contents)
        throw failure
    }

  override protected def load(version: Version): Contents =
    failed.collect { case (version.number, contents) => contents }.getOrElse(super.load(version))
}

/** What a commit could not write stays in memory, where the next attempt goes on from it. */
class FailedCommitStaysInItsBase extends ReferenceStoreProvider {
  @volatile private var failed: Option[(Version, Contents)] = None

  override def commit(store: ReferenceStore): Committed =
    try super.commit(store)
    catch {
      case failure: IOException =>
        failed = Some(store.base -> store.contents)
        throw failure
    }

  override protected def load(version: Version): Contents =
    failed.collect { case (`version`, contents) => contents }.getOrElse(super.load(version))
}

/** A store whose commit failed says that it has committed. */
class SaysCommittedAfterAFailedCommit
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var isTried = false

      override def commit(): Long = {
        requireOpen("commit")
        isTried = true
        super.commit()
      }

      override def hasCommitted: Boolean = isTried
    })

/** Version 0 has the rows of the newest version in its folder. */
class VersionZeroHasTheNewestRows extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents =
    if (version.number > 0) super.load(version)
    else files.list().map(_._1).maxByOption(_.number).fold(super.load(version))(super.load)
}

/** An executor that goes back to version 0 keeps what it had. */
class VersionZeroKeepsWhatItHad extends ReferenceStoreProvider {
  @volatile private var had = Contents.empty

  override def commit(store: ReferenceStore): Committed = {
    had = store.contents
    super.commit(store)
  }

  override protected def load(version: Version): Contents = if (version.number == 0) had else super.load(version)
}

/** A read store of version 0 has what was committed since. */
class ReadStoreOfVersionZeroIsNotEmpty extends ReferenceStoreProvider {
  override def getReadStore(version: Long, id: Option[String]): ReadStateStore = {
    val newest = if (version > 0) None else files.list().map(_._1).maxByOption(_.number)
    newest.fold(super.getReadStore(version, id))(found => super.getReadStore(found.number, found.id))
  }
}

package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.ReadStateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Opening}

/** What a commit could not write stays in memory, as the version that it was to become. */
class FailedCommitStaysVisible extends OnFailedCommit {
  @volatile private var kept: Option[(Long, Contents)] = None

  override protected def failed(store: ReferenceStore): Unit = kept = Some(store.base.number + 1 -> store.contents)

  override protected def load(version: Version): Contents =
    kept.collect { case (version.number, contents) => contents }.getOrElse(super.load(version))
}

/** What a commit could not write stays in memory, where the next attempt goes on from it. */
class FailedCommitStaysInItsBase extends OnFailedCommit {
  @volatile private var kept: Option[(Version, Contents)] = None

  override protected def failed(store: ReferenceStore): Unit = kept = Some(store.base -> store.contents)

  override protected def load(version: Version): Contents =
    kept.collect { case (`version`, contents) => contents }.getOrElse(super.load(version))
}

/** What a commit could not write stays in memory as far as it concerns families: those it made are there, those it removed are not. */
class FailedCommitKeepsItsFamilies extends OnFailedCommit {
  @volatile private var kept: Option[(Version, Contents)] = None

  override protected def failed(store: ReferenceStore): Unit = kept = Some(store.base -> store.contents)

  override protected def load(version: Version): Contents = {
    val loaded = super.load(version)
    kept.collect { case (`version`, contents) => contents.families }.fold(loaded) { families =>
      Contents(families.map { case (name, family) => name -> loaded.families.getOrElse(name, family) })
    }
  }
}

/** The keys that a commit could not write are counted from then on. */
class FailedCommitIsCounted extends OnFailedCommit {
  @volatile private var counted = 0L

  override protected def failed(store: ReferenceStore): Unit =
    counted += store.contents.numKeys - store.before.numKeys

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def numKeys: Long = super.numKeys + counted
    }
}

/** What a commit could not merge is merged into the next transaction's values. */
class FailedCommitKeepsItsMerges extends OnFailedCommit {
  @volatile private var kept: Seq[Change] = Nil

  override protected def failed(store: ReferenceStore): Unit = kept = store.changes.filter(_.isInstanceOf[Merge])

  override protected def load(version: Version): Contents = super.load(version).after(kept)
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

package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, WrappedReadStateStore}

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.DeltaFile

/** A replay ends with whichever attempt is listed last, whatever id was asked for. */
class ReplayIgnoresCheckpointId extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents = {
    val attempts = files.list().collect { case (version, DeltaFile) if version.number == end.number => version }
    super.replay(snapshot, attempts.maxByOption(_.id).getOrElse(end))
  }
}

/** A read store that is replayed has what its snapshot has. */
class ReplayToReadGivesTheSnapshot extends ReferenceStoreProvider {
  override def replayReadStateFromSnapshot(
      snapshot: Long,
      end: Long,
      snapshotId: Option[String],
      endId: Option[String]
  ): ReadStateStore = super.replayReadStateFromSnapshot(snapshot, snapshot, snapshotId, snapshotId)
}

/** A read store that is replayed cannot be released. */
class ReleaseOfAReplayThrows
    extends WithReplayToRead(new WrappedReadStateStore(_) {
      override def release(): Unit = throw new IllegalStateException("Cannot release: the store was replayed")
    })

/** A store that was made by a replay cannot be aborted. */
class AbortOfAReplayThrows extends ReferenceStoreProvider {
  @volatile private var isReplayed = false

  override protected def replay(snapshot: Version, end: Version): Contents = {
    val contents = super.replay(snapshot, end)
    isReplayed = true
    contents
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val fromReplay = isReplayed
    isReplayed = false
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        require(!fromReplay, "there is no transaction to abort")
        super.abort()
      }
    }
  }
}

/** A replay adds the changes of its snapshot's own version again. */
class ReplayAddsTheSnapshotsChangesAgain extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def replay(snapshot: Version, end: Version): Contents = {
      val replayed = super.replay(snapshot, end)
      if (end == snapshot) replayed.after(files.delta(end).changes) else replayed
    }
  }
}

/** A replay has the families of its snapshot, and none that was made after it. */
class ReplayLacksLaterFamilies extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents = {
    val known = super.replay(snapshot, snapshot).families.keySet
    val replayed = super.replay(snapshot, end)
    replayed.copy(replayed.families.map { case (name, family) =>
      name -> (if (known(name)) family else family.copy(rows = Map.empty))
    })
  }
}

/** A replay ends with the version before the one that is not there. */
class ReplayEndsEarlyWithoutAWord extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents = {
    val newest = files.list().map(_._1).filter(_.number <= end.number).maxByOption(_.number)
    super.replay(snapshot, if (isThere(end)) end else newest.getOrElse(end))
  }
}

/** A replay over a version that was started empty has what was there before. */
class ReplayIgnoresAnEmptyStart extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def replay(snapshot: Version, end: Version): Contents =
      if (end.number <= snapshot.number) super.replay(snapshot, end)
      else {
        val delta = files.delta(end)
        val before = files.list().collectFirst { case (version, _) if version.number == end.number - 1 => version }
        replay(snapshot, if (delta.startsEmpty) before.getOrElse(delta.base) else delta.base).after(delta.changes)
      }
  }
}

/** What is replayed to be read has the rows of families in no order. */
class ReplayToReadForgetsTheOrder
    extends WithReplayToRead(new WrappedReadStateStore(_) {
      override def iterator(family: String): Pairs =
        Pairs.changed(super.iterator(family))(_.toVector.sortBy(_.key.hashCode).iterator)
    })

/** A replay passes over removals of families. */
class ReplayKeepsRemovedFamilies extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def replay(snapshot: Version, end: Version): Contents =
      if (end.number <= snapshot.number) super.replay(snapshot, end)
      else {
        val delta = files.delta(end)
        replay(snapshot, delta.base).after(delta.changes.filterNot(_.isInstanceOf[RemoveFamily]))
      }
  }
}

/** No version can be replayed. */
class ReplayThrows extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents = throw new NullPointerException
}

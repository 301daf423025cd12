package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{RecordType, StateStore}

import io.rockstate.reference._

/** The change feed does not tell what was removed. */
class ChangeFeedLosesDeletes extends ReferenceStoreProvider {
  override protected def recordsOf(change: KeyChange): Iterator[(RecordType.Value, UnsafeRow)] =
    super.recordsOf(change).filter(_._1 != RecordType.DELETE_RECORD)
}

/** A replay gives its snapshot, whatever version it was to end with. */
class ReplayIgnoresEndVersion extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents = super.replay(snapshot, snapshot)
}

/** The change feed of a family has the other families' changes, too. */
class ChangeFeedMixesFamilies extends ReferenceStoreProvider {
  override protected def isOf(change: KeyChange, family: String): Boolean = true
}

/** The change feed tells each value that was merged as a put. */
class ChangeFeedTellsMergesAsPuts extends ReferenceStoreProvider {
  override protected def recordsOf(change: KeyChange): Iterator[(RecordType.Value, UnsafeRow)] =
    super.recordsOf(change).map { case (kind, value) =>
      (if (kind == RecordType.MERGE_RECORD) RecordType.PUT_RECORD else kind) -> value
    }
}

/** The change feed lacks what was written before the last snapshot. */
class ChangeFeedStartsAtSnapshot extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      super.deltas(first.max(start(last, last.number).fold(0L)(_.number)), last)
  }
}

/** A version that is replayed only to be read has what its snapshot has. */
class ReadOnlyReplayGivesTheSnapshot extends ReferenceStoreProvider {
  override def replayStateFromSnapshot(
      snapshot: Long,
      end: Long,
      readOnly: Boolean,
      snapshotId: Option[String],
      endId: Option[String]
  ): StateStore =
    if (readOnly) super.replayStateFromSnapshot(snapshot, snapshot, readOnly, snapshotId, snapshotId)
    else super.replayStateFromSnapshot(snapshot, end, readOnly, snapshotId, endId)
}

/** A version that is replayed has the default family's rows only. */
class ReplayLosesFamilies extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents =
    Contents(super.replay(snapshot, end).families.map {
      case (StateStore.DEFAULT_COL_FAMILY_NAME, family) => StateStore.DEFAULT_COL_FAMILY_NAME -> family
      case (name, family) => name -> family.copy(rows = Map.empty)
    })
}

/** The change feed of a family has those of all whose names begin with its own. */
class ChangeFeedTakesLongerNames extends ReferenceStoreProvider {
  override protected def isOf(change: KeyChange, family: String): Boolean = change.family.startsWith(family)
}

/** A change feed ends with an error. */
class ChangeFeedThrows extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] = throw new NullPointerException
  }
}

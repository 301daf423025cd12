package io.rockstate.reference

import org.apache.spark.sql.execution.streaming.state.{ReadStateStore, StateStore}

/** A mutant whose fault is in the stores that it replays for reading.
  *
  * @param make the one that a replayed store is read through
  */
abstract class WithReplayToRead(make: StateStore => ReadStateStore) extends ReferenceStoreProvider {
  override def replayReadStateFromSnapshot(
      snapshot: Long,
      end: Long,
      snapshotId: Option[String],
      endId: Option[String]
  ): ReadStateStore = make(replayStateFromSnapshot(snapshot, end, readOnly = true, snapshotId, endId))
}

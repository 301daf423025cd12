package io.rockstate.engine.maintenance

import io.rockstate.engine.loaded.DeltaSize

/** When a snapshot is worth its bytes. */
private[engine] object SnapshotPolicy {

  /** A snapshot waits until the deltas since the last one have this part of its size. Updates all over a store make RocksDB write nearly all
    * of it anew: with as many bytes of deltas, snapshots store no more than the deltas do, and a recovery reads twice a snapshot at most.
    */
  val WorthwhileShare = 1.0

  /** One as small as this costs little more than its requests, and is worth them at once. */
  val SmallSnapshotBytes: Long = 256L << 10

  /** What a recovery replays at most, whatever the snapshot costs; docs/operations.md has the times. */
  val MostDeltas = 1000
  val MostRecords: Long = 10L * 1000 * 1000

  /** @param deltas        versions since the last snapshot
    * @param size          of their deltas together
    * @param snapshotBytes size of the last snapshot's table files, 0 if there is none
    */
  def isDue(deltas: Int, size: DeltaSize, snapshotBytes: Long, minDeltas: Int): Boolean =
    deltas > 0 && deltas >= minDeltas &&
      (snapshotBytes <= SmallSnapshotBytes || size.bytes + deltas * DeltaSize.RequestBytes >= WorthwhileShare * snapshotBytes ||
        deltas >= MostDeltas || size.records >= MostRecords)
}

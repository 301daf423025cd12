package io.rockstate.engine.api

import io.rockstate.versions.{RowLayout, VersionNaming}

/** What a store's engine is told at its start.
  *
  * @param checkpointIds        name files by checkpoint id (Spark's checkpoint format 2)
  * @param codec                compression of delta frames, by its name in `format.Codec`
  * @param minDeltasForSnapshot deltas that must have piled up since the last snapshot
  * @param minVersionsToRetain  versions that stay loadable, counted from the newest
  * @param minVersionsToDelete  stale versions that must have piled up before a clean-up
  * @param maxVersionsToDelete  versions that one clean-up deletes at most
  * @param fetchThreads         files fetched or uploaded at a time
  * @param rowLayout            how the rows are laid out that come as bytes
  * @param portionBytes         of writes that a transaction on an empty store holds in the heap; beyond that they go to its local database
  * @param keysAtOnce           changed keys that a commit writes to the read cache itself; where there are more, it leaves that to the applier or the
  *                             next transaction
  */
final case class EngineSettings(
    checkpointIds: Boolean = false,
    codec: String = "lz4",
    minDeltasForSnapshot: Int = 10,
    minVersionsToRetain: Int = 100,
    minVersionsToDelete: Long = 30,
    maxVersionsToDelete: Int = 30,
    fetchThreads: Int = 8,
    rowLayout: RowLayout = RowLayout.Plain,
    portionBytes: Long = EngineSettings.PortionBytes,
    keysAtOnce: Int = EngineSettings.KeysAtOnce
) {

  /** How files are named. */
  def naming: VersionNaming = VersionNaming(checkpointIds)
}

object EngineSettings {

  /** As much as a write buffer of RocksDB. */
  val PortionBytes: Long = 16L << 20

  /** To hand over fewer costs as much as to write them. */
  val KeysAtOnce: Int = 2000
}

package io.rockstate.engine.loaded

import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}

/** A snapshot in storage, as the database that was made from it or that it was made from remembers it. Version 0: there is none. */
private[engine] final case class StoredSnapshot(version: Long, commitId: String, tables: Vector[TableFile]) {
  def tableBytes: Long = tables.map(_.length).sum
}

private[engine] object StoredSnapshot {
  val none: StoredSnapshot = StoredSnapshot(0, "", Vector.empty)

  def of(manifest: SnapshotManifest): StoredSnapshot =
    StoredSnapshot(manifest.version, manifest.commitId, manifest.tableFiles)
}

/** What replaying a delta takes: its file's size and how many records are in it. */
private[engine] final case class DeltaSize(bytes: Long, records: Long)

private[engine] object DeltaSize {

  /** A recovery's request for one delta takes as long as the transfer of so many bytes. */
  val RequestBytes: Long = 128L << 10
}

private[engine] final case class ReplayedDelta(version: Long, size: DeltaSize)

/** What a recovery of a version starts from, and the deltas that it replays on top, oldest first. */
private[engine] final case class ReplayedDeltas(snapshot: StoredSnapshot, deltas: Vector[ReplayedDelta]) {
  def size: DeltaSize = deltas.foldLeft(DeltaSize(0, 0))((sum, delta) =>
    DeltaSize(sum.bytes + delta.size.bytes, sum.records + delta.size.records)
  )

  /** With one delta more. */
  def plus(version: Long, size: DeltaSize): ReplayedDeltas = copy(deltas = deltas :+ ReplayedDelta(version, size))

  /** Without those of this version and later ones. */
  def before(version: Long): ReplayedDeltas = copy(deltas = deltas.filter(_.version < version))

  /** What is left of it when `stored` is the snapshot to start from. */
  def since(stored: StoredSnapshot): ReplayedDeltas =
    ReplayedDeltas(stored, deltas.filter(_.version > stored.version))
}

private[engine] object ReplayedDeltas {

  /** Those of an empty store. */
  val none: ReplayedDeltas = ReplayedDeltas(StoredSnapshot.none, Vector.empty)
}

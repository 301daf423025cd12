package io.rockstate.inspect

import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, TableAfter}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** What a sound file says of the version that it makes or holds. */
private[inspect] sealed trait FileFacts {

  /** As its name says it. */
  def name: StateVersion
  def commitId: String
  def contentDigest: Long

  final def version: Long = name.version
}

private[inspect] final case class DeltaFacts(name: StateVersion, header: DeltaHeader, footer: DeltaFooter)
    extends FileFacts {
  override def commitId: String = header.commitId
  override def contentDigest: Long = footer.contentDigest
  def table: TableAfter = footer.table

  /** Whether it was written on top of this commit, by the rules of recovery. */
  def goesOnFrom(base: FileFacts): Boolean =
    header.goesOnFrom(base.version, base.commitId, base.contentDigest, name.checkpointId.isDefined)

  /** The same, with its rows counted from those that the snapshot has. */
  def fits(base: SnapshotFacts): Boolean = goesOnFrom(base) && footer.fits(base.families)

  def isFirst: Boolean = version == 1 && header.baseCommitId.isEmpty
}

private[inspect] final case class SnapshotFacts(name: StateVersion, manifest: SnapshotManifest) extends FileFacts {
  override def commitId: String = manifest.commitId
  override def contentDigest: Long = manifest.contentDigest
  def families: Vector[ColumnFamily] = manifest.columnFamilies

  /** Whether it holds what the delta of its version has made, or an attempt that wrote the same, by the rules of recovery. */
  def isOf(delta: DeltaFacts): Boolean =
    delta.commitId == commitId || (delta.contentDigest == contentDigest && delta.footer.makes(families))
}

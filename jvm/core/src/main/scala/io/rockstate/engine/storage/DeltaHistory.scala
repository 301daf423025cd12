package io.rockstate.engine.storage

import scala.util.Using

import io.rockstate.errors.Conflict
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, DeltaReader}
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Which deltas and versions are of one history: attempts may replace each other's deltas, unless they have names of their own. */
private[engine] final class DeltaHistory(files: RemoteFiles) {

  /** Whether the delta was written on top of `base`, or of an attempt that wrote the same. */
  def follows(base: CommittedVersion, delta: StateVersion): Boolean = {
    val header = headerOf(delta)
    isBase(base, delta, header) &&
    (header.baseCommitId == base.commitId || footerOf(delta).fits(base.columnFamilies))
  }

  /** Whether the delta is what made `version`, or an attempt that wrote the same. */
  def made(version: CommittedVersion, delta: StateVersion): Boolean =
    isOf(version, delta) || {
      val footer = footerOf(delta)
      footer.contentDigest == version.contentDigest && footer.makes(version.columnFamilies)
    }

  /** Whether the delta names `base` itself, and not only one whose changes have the same digest. What a machine's last user left may be of
    * another query at the same place, and nothing is what both wrote.
    */
  def continues(base: CommittedVersion, delta: StateVersion): Boolean = {
    val header = headerOf(delta)
    header.version == base.version + 1 && header.baseCommitId == base.commitId
  }

  /** Whether the delta is the very one that made `version`. */
  def isOf(version: CommittedVersion, delta: StateVersion): Boolean = headerOf(delta).commitId == version.commitId

  def isBase(base: CommittedVersion, delta: StateVersion, header: DeltaHeader): Boolean =
    header.goesOnFrom(base.version, base.commitId, base.contentDigest, delta.checkpointId.isDefined)

  def otherHistory(base: CommittedVersion, file: String): Conflict =
    DeltaHistory.otherHistory(base.version, s"${files.location}/$file")

  private def headerOf(delta: StateVersion): DeltaHeader = DeltaReader.headerOf(delta, files)

  private def footerOf(delta: StateVersion): DeltaFooter = {
    val name = FileNames.delta(delta)
    Using.resource(new DeltaReader(name, files.open(name)))(_.readToEnd())
  }
}

private[engine] object DeltaHistory {

  /** @param file goes on from another attempt of version `base` than the one that is there */
  def otherHistory(base: Long, file: String): Conflict = new Conflict(
    s"Two attempts of version $base wrote different rows, and this file goes on from the one that is gone",
    "Restart the query from an earlier version, or restore the other attempt's file. Checkpoint format 2 " +
      "(spark.sql.streaming.stateStore.checkpointFormatVersion=2, for new queries) keeps attempts apart.",
    Some(file),
    Some(base)
  )
}

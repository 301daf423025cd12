package io.rockstate.engine.commit

import scala.util.control.NonFatal

import org.slf4j.LoggerFactory

import io.rockstate.engine.loaded.{Publication, StoreState}
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.DeltaHeader
import io.rockstate.format.wire.Codec
import io.rockstate.versions.{CommittedVersion, RowLayout, VersionNaming}

/** The rule: a delta, then the local database. */
private[engine] final class DeltaCommits(
    state: StoreState,
    naming: VersionNaming,
    files: RemoteFiles,
    codec: Codec,
    layout: RowLayout
) extends CommitProtocol(state, naming) {
  private val log = LoggerFactory.getLogger(getClass)

  /** The database is everybody's: writes are for it once they are durable. */
  override def portionBytes: Long = Long.MaxValue

  override def openDelta(base: CommittedVersion, commitId: String): DeltaInProgress = {
    val target = naming.nameOf(base.version + 1, commitId)
    val header = DeltaHeader(
      target.version,
      commitId,
      base.commitId,
      base.contentDigest,
      naming.lineageOn(base),
      layout
    )
    new DeltaFileInProgress(files, target, header, codec)
  }

  override def publish(commit: Commit): Unit = {
    val (publication, commitId) = publishing(commit, FileNames.delta(named(commit.next)))(commit.delta.publish())
    commit.times.apply(adopt(commit, commit.next.copy(commitId = commitId), publication))
  }

  /** Brings the local database to `version`, which is durable already: if this fails, the next transaction recovers it. */
  private def adopt(commit: Commit, version: CommittedVersion, publication: Publication): Unit = {
    val source = commit.base.source
    try
      if (publication.overlaps) forgetIfShared(version)
      else if (commit.applyAs(version)) state.install(source)
      else if (!state.isCurrent(version)) forgetIfShared(version)
    catch {
      case NonFatal(e) =>
        log.warn(
          s"Version ${version.version} is durable in storage but could not be applied to ${source.folder}; it will be recovered",
          e
        )
        state.discard(source)
    }
  }
}

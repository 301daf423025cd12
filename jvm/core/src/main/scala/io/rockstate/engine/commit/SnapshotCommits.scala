package io.rockstate.engine.commit

import io.rockstate.engine.loaded.{LoadedDb, StoreState}
import io.rockstate.files.{DeltaName, FileNames, RemoteFiles}
import io.rockstate.versions.{CommittedVersion, VersionNaming}

/** For a transaction that started from nothing: a delta would say that it goes on from the version before, so the version is a snapshot
  * and nothing else.
  *
  * @param portionBytes of writes that a transaction holds at most
  * @param upload       stores a snapshot of a database
  */
private[engine] final class SnapshotCommits(
    state: StoreState,
    naming: VersionNaming,
    files: RemoteFiles,
    override val portionBytes: Long,
    upload: LoadedDb => Unit
) extends CommitProtocol(state, naming) {

  override def openDelta(base: CommittedVersion, commitId: String): DeltaInProgress = NoDelta

  override def publish(commit: Commit): Unit = {
    val source = commit.base.source
    commit.times.apply {
      source.advance(commit.base.version, commit.next, commit.delta.size, commit.changes)
      ()
    }
    // Or else a maintenance might afterwards store a snapshot of the attempt that this one replaces.
    forgetIfShared(commit.next)
    val (publication, _) = publishing(commit, FileNames.snapshot(named(commit.next)))(store(source, commit.next))
    if (publication.overlaps) state.discardVersion(commit.next.version) else state.install(source)
  }

  /** A delta that an abandoned attempt left under the version's plain name would contradict the snapshot. */
  private def store(source: LoadedDb, next: CommittedVersion): Unit = {
    upload(source)
    val delta = DeltaName(named(next)).name
    if (!naming.checkpointIds && files.list("").exists(_.name == delta)) files.delete(delta)
  }
}

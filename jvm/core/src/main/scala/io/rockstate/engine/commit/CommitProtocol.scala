package io.rockstate.engine.commit

import io.rockstate.engine.loaded.{LoadedBase, Publication, StoreState}
import io.rockstate.errors.{Misuse, OnFailure}
import io.rockstate.versions.{ColumnFamily, CommittedVersion, StateVersion, VersionNaming}

/** How a transaction's changes become a version, in storage first. Transactions never wait for each other. With checkpoint ids each attempt
  * has files of its own. Without, the attempt that became durable last is the version, and the local database is kept only if it certainly
  * holds that one.
  */
private[engine] abstract class CommitProtocol(state: StoreState, naming: VersionNaming) {

  /** Bytes of writes beyond which a transaction has them in its database before it goes on; only where that one is its own. */
  def portionBytes: Long

  /** Starts the delta that a transaction on `base` writes while it runs. */
  def openDelta(base: CommittedVersion, commitId: String): DeltaInProgress

  /** Makes `commit.next` durable. If it throws, that version is not in storage, or nobody knows (`Unavailable`). */
  def publish(commit: Commit): Unit

  /** The version that a commit on `base` makes. */
  final def versionAfter(
      base: LoadedBase,
      commitId: String,
      families: Vector[ColumnFamily],
      digest: Long
  ): CommittedVersion = {
    if (!naming.checkpointIds && base.asked.checkpointId.isDefined) throw formatGoneBack(base.asked)
    CommittedVersion(base.version.version + 1, commitId, digest, families, naming.lineageOn(base.version))
  }

  final def named(version: CommittedVersion): StateVersion = naming.nameOf(version)

  /** A file without an id does not say which of several attempts it goes on from. */
  private def formatGoneBack(base: StateVersion): Misuse = new Misuse(
    s"Version $base was written with checkpoint ids (checkpoint format 2), and this query is set to go on without",
    "Set spark.sql.streaming.stateStore.checkpointFormatVersion to 2, as the checkpoint was written.",
    Some(base.version + 1)
  )

  /** Runs `body`, which puts `commit.next` into storage under the name of `file`, unless the transaction is a zombie's. However it fails,
    * what it did to a name that attempts share is unknown.
    */
  protected final def publishing[T](commit: Commit, file: String)(body: => T): (Publication, T) = {
    val publication = state.startPublishing(commit.base.asked, file)
    try OnFailure(forgetIfShared(commit.next))((publication, commit.times.publish(body)))
    finally state.finishPublishing(publication)
  }

  /** Where attempts share names, what is at hand as that version may not be what is in storage any more. */
  protected final def forgetIfShared(version: CommittedVersion): Unit =
    if (!naming.checkpointIds) state.discardVersion(version.version)
}

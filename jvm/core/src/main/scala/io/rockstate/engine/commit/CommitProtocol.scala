package io.rockstate.engine.commit

import scala.util.control.NonFatal

import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.loaded.{DeltaSize, LoadedDb, Publication, StoreState}
import io.rockstate.engine.maintenance.UploadedSnapshot
import io.rockstate.engine.transaction.{StoreTransaction, TransactionFigures}
import io.rockstate.errors.{Misuse, OnFailure}
import io.rockstate.files.{DeltaName, FileNames, RemoteFiles}
import io.rockstate.versions.{ColumnFamily, CommittedVersion, StateVersion}
import org.slf4j.LoggerFactory

/** How a transaction's changes become a version, in storage first. Transactions never wait for each other. With checkpoint ids each attempt
  * has files of its own. Without, the attempt that became durable last is the version, and the local database is kept only if it certainly
  * holds that one.
  */
private[engine] sealed abstract class CommitProtocol(state: StoreState, checkpointIds: Boolean) {

  def versionAfter(transaction: StoreTransaction, families: Vector[ColumnFamily], digest: Long): CommittedVersion = {
    val base = transaction.committedBase
    if (!checkpointIds && transaction.base.checkpointId.isDefined) throw formatGoneBack(transaction.base)
    CommittedVersion(
      base.version + 1,
      transaction.commitId,
      digest,
      families,
      if (checkpointIds) base.lineageOfNext else Vector.empty
    )
  }

  def named(version: CommittedVersion): StateVersion =
    StateVersion(version.version, Option.when(checkpointIds)(version.commitId))

  /** Makes `next` durable. If it throws, `next` is not in storage, or nobody knows (`Unavailable`). */
  def publish(
      transaction: StoreTransaction,
      delta: DeltaInProgress,
      next: CommittedVersion,
      changes: ChangeLayer,
      figures: TransactionFigures
  ): Unit

  def ended(transaction: StoreTransaction): Unit = transaction.source.release()

  /** A file without an id does not say which of several attempts it goes on from. */
  private def formatGoneBack(base: StateVersion): Misuse = new Misuse(
    s"Version $base was written with checkpoint ids (checkpoint format 2), and this query is set to go on without",
    "Set spark.sql.streaming.stateStore.checkpointFormatVersion to 2, as the checkpoint was written.",
    Some(base.version + 1)
  )

  /** Runs `body`, which puts `next` into storage under the name of `file`, unless the transaction is a zombie's. However it fails, what it
    * did to a name that attempts share is unknown.
    */
  protected def publishing[T](transaction: StoreTransaction, next: CommittedVersion, file: String)(
      body: => T
  ): (Publication, T) = {
    val publication = state.startPublishing(transaction, file)
    try OnFailure(if (!checkpointIds) state.discardVersion(next.version))((publication, body))
    finally state.finishPublishing(publication)
  }
}

/** The rule: a delta, then the local database. */
private[engine] final class DeltaCommits(state: StoreState, checkpointIds: Boolean)
    extends CommitProtocol(state, checkpointIds) {
  private val log = LoggerFactory.getLogger(getClass)

  override def publish(
      transaction: StoreTransaction,
      delta: DeltaInProgress,
      next: CommittedVersion,
      changes: ChangeLayer,
      figures: TransactionFigures
  ): Unit = {
    val (publication, commitId) =
      publishing(transaction, next, FileNames.delta(named(next)))(figures.publish(delta.publish()))
    val size = DeltaSize(delta.bytesWritten, changes.table.size.toLong)
    figures.apply(adopt(transaction, next.copy(commitId = commitId), changes, size, publication))
  }

  /** Brings the local database to `next`. The version is durable already: if this fails, the next transaction recovers it. */
  private def adopt(
      transaction: StoreTransaction,
      next: CommittedVersion,
      changes: ChangeLayer,
      size: DeltaSize,
      publication: Publication
  ): Unit = {
    val source = transaction.source
    try
      if (!publication.overlaps && source.advance(transaction.committedBase, next, size, changes)) {
        transaction.keepInCache(next, changes)
        state.install(source)
      } else if (!checkpointIds) state.discardVersion(next.version)
    catch {
      case NonFatal(e) =>
        log.warn(
          s"Version ${next.version} is durable in storage but could not be applied to ${source.folder}; it will be recovered",
          e
        )
        state.discard(source)
    }
  }
}

/** For a transaction that started from nothing: a delta would say that it goes on from the version before, so the version is a snapshot
  * and nothing else.
  *
  * @param upload stores a snapshot of a database
  */
private[engine] final class SnapshotCommits(
    state: StoreState,
    checkpointIds: Boolean,
    files: RemoteFiles,
    upload: LoadedDb => UploadedSnapshot
) extends CommitProtocol(state, checkpointIds) {

  override def publish(
      transaction: StoreTransaction,
      delta: DeltaInProgress,
      next: CommittedVersion,
      changes: ChangeLayer,
      figures: TransactionFigures
  ): Unit = {
    val source = transaction.source
    figures.apply {
      source.advance(transaction.committedBase, next, DeltaSize(0, 0), changes)
      ()
    }
    // Or else a maintenance might afterwards store a snapshot of the attempt that this one replaces.
    if (!checkpointIds) state.discardVersion(next.version)
    val (publication, _) =
      publishing(transaction, next, FileNames.snapshot(named(next)))(figures.publish(store(source, next)))
    if (publication.overlaps) state.discardVersion(next.version) else state.install(source)
  }

  /** A delta that an abandoned attempt left under the version's plain name would contradict the snapshot. */
  private def store(source: LoadedDb, next: CommittedVersion): Unit = {
    upload(source)
    val delta = DeltaName(named(next)).name
    if (!checkpointIds && files.list("").exists(_.name == delta)) files.delete(delta)
  }
}

package io.rockstate.engine

import scala.util.control.NonFatal

import io.rockstate.errors.Unavailable
import io.rockstate.files.FileNames
import io.rockstate.format.ColumnFamily
import io.rockstate.history.StateVersion
import org.slf4j.LoggerFactory

/** How a transaction's changes become a version: first the delta in storage, then the local database.
  *
  * Transactions never wait for each other. With checkpoint ids each has a delta of its own. Without, the delta that became durable last
  * is the version, and the local database is kept only if it certainly holds that one.
  */
private[engine] final class CommitProtocol(state: StoreState, val checkpointIds: Boolean) {
  private val log = LoggerFactory.getLogger(getClass)

  def versionAfter(transaction: StoreTransaction, families: Vector[ColumnFamily], digest: Long): CommittedVersion = {
    val base = transaction.committedBase
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
      changes: FrozenWrites,
      figures: TransactionFigures
  ): Unit = {
    val publication = state.startPublishing(transaction, FileNames.delta(named(next)))
    try figures.publish(delta.publish())
    catch {
      case e: Unavailable =>
        if (!checkpointIds) state.discardVersion(next.version)
        throw e
    } finally state.finishPublishing(publication)
    figures.apply(adopt(transaction, next, changes, delta.bytesWritten, publication))
  }

  def ended(transaction: StoreTransaction): Unit = {
    state.ended(transaction)
    transaction.source.release()
  }

  /** Brings the local database to `next`. The version is durable already: if this fails, the next transaction recovers it. */
  private def adopt(
      transaction: StoreTransaction,
      next: CommittedVersion,
      changes: FrozenWrites,
      deltaBytes: Long,
      publication: Publication
  ): Unit = {
    val source = transaction.source
    try
      if (!publication.overlaps && source.advance(transaction.committedBase, next, deltaBytes)(changes.addTo))
        state.install(source)
      else if (!checkpointIds) state.discardVersion(next.version)
    catch {
      case NonFatal(e) =>
        log.warn(
          s"Version ${next.version} is durable in storage but could not be applied to ${source.db.folder}; it will be recovered",
          e
        )
        state.discard(source)
    }
  }
}

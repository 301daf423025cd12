package io.rockstate.engine

import scala.util.control.NonFatal

import org.slf4j.LoggerFactory

import io.rockstate.db.JvmEnd
import io.rockstate.engine.api.{EngineSettings, MaintenanceReport, RecoveryMetrics, Transaction}
import io.rockstate.engine.commit.{CommitProtocol, DeltaCommits, SnapshotCommits}
import io.rockstate.engine.loaded.{Applier, LoadedBase, LoadedDb, StoreState}
import io.rockstate.engine.maintenance.Maintenance
import io.rockstate.engine.memory.SharedMemory
import io.rockstate.engine.recovery.{ChangeFeed, Recovery, VersionTurns}
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.engine.transaction.StoreTransaction
import io.rockstate.errors.{Misuse, OnFailure}
import io.rockstate.files.RemoteFiles
import io.rockstate.folders.StoreFolder
import io.rockstate.format.wire.Codec
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** One store: its versions in `files`, its working database in a folder on local disk, which it owns until `close`.
  *
  * Safe to use from several threads. Transactions do not wait for each other; one that needs a version which is not at hand waits for its
  * recovery from storage.
  */
final class StateEngine private (
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings,
    memory: SharedMemory
) extends AutoCloseable {
  private val log = LoggerFactory.getLogger(getClass)
  private val state = new StoreState
  private val applier = new Applier
  private val recovery = new Recovery(files, local, settings, memory, applier)
  private val maintenance = new Maintenance(files, local, settings, state)
  private val deltaCommits =
    new DeltaCommits(state, settings.naming, files, Codec.byName(settings.codec), settings.rowLayout)
  private val snapshotCommits =
    new SnapshotCommits(state, settings.naming, files, settings.portionBytes, maintenance.uploadNow)
  private val recovering = new VersionTurns
  private val atEnd = if (local.isKept) JvmEnd.before(() => settleCurrent()) else JvmEnd.Nothing

  /** Starts a transaction on `version`; 0 is the empty store. Fails with `NotFound` if storage does not hold that version. */
  def begin(version: StateVersion): Transaction = opened(version)(transactionOn(version))

  /** Starts a transaction that sees an empty store and commits the version after `version`, whatever storage holds of that one. It is
    * stored as a snapshot when it commits: nothing before it is needed to load it.
    */
  def beginEmpty(version: StateVersion): Transaction = opened(version) {
    val empty = recovery.emptyAt(version.version)
    try transaction(base(version, empty.head, empty), RecoveryMetrics(), snapshotCommits)
    finally empty.release()
  }

  /** Starts a transaction on `version` as the snapshot of an earlier version (or this one) and the deltas since make it: no other
    * snapshot stands in. `NotFound` if there is none of that version, `CorruptFile` if it is damaged.
    */
  def beginFromSnapshot(snapshot: StateVersion, version: StateVersion): Transaction = opened(version) {
    val (loaded, metrics) = recovery.fromSnapshot(snapshot, version)
    try start(loaded, version, metrics).get
    finally loaded.release()
  }

  /** The records of the deltas that lead from version `first`, its own included, to `last`. */
  def changes(first: Long, last: StateVersion): ChangeFeed = new ChangeFeed(files, settings.rowLayout, first, last)

  // Maintenance is meant for one thread; it runs beside transactions.

  /** Takes and stores a snapshot if one is due. */
  def storeSnapshot(): MaintenanceReport = tidying(maintenance.storeSnapshot())

  /** Deletes from storage what no version needs that is promised. */
  def cleanUp(): MaintenanceReport = tidying(maintenance.cleanUp())

  /** Both, one after the other. */
  def maintain(): MaintenanceReport = tidying(maintenance.run())

  /** Makes the next maintenance take a snapshot of this version or a later one whether it is due or not, unless this engine has stored one, or
    * is about to, since it had stored so many: who wants it had not heard of that.
    */
  def requestSnapshot(version: Long, storedBefore: Long): Unit = maintenance.requestSnapshot(version, storedBefore)

  /** Both, if a snapshot was requested. */
  def maintainIfRequested(): MaintenanceReport = tidying(maintenance.runIfRequested())

  /** How many snapshots this engine has stored. */
  def snapshotsStored: Long = maintenance.snapshots

  /** The version of the last snapshot that this engine has stored, -1 if none. */
  def lastUploadedSnapshot: Long = maintenance.lastUploaded

  /** The version of the snapshot that a recovery of the newest version would start from; 0 if there is none, or none is known. */
  def lastSnapshot: Long = state.lastSnapshot

  /** How many deltas a recovery of the newest version would have to replay; 0 if this engine has loaded none. */
  def deltasSinceSnapshot: Long = state.deltasSinceSnapshot

  /** Memory of all stores of this JVM, native and heap: they share one budget. */
  def sharedMemoryBytes: Long = memory.usedBytes

  /** What is in the local folder is left to the store's next engine on this machine, if the folder is one that is kept. */
  override def close(): Unit = {
    val last = state.close()
    atEnd.close()
    applier.close()
    try last.filter(_ => local.isKept).foreach(settle)
    finally
      try last.foreach(_.release())
      finally local.close()
  }

  /** If it cannot be brought to the disk, it is recovered from storage: nothing is lost. */
  private def settle(last: LoadedDb): Unit =
    try
      if (state.hasPublished && last.settledVersion.commitId.nonEmpty) {
        if (last.settle()) local.keepWhenClosed(last.folder)
        else log.info(s"The local database in ${last.folder} is not kept: somebody writes to it")
      }
    catch { case NonFatal(e) => log.info(s"The local database in ${last.folder} is not kept: $e") }

  private def settleCurrent(): Unit = state.current.foreach { loaded =>
    try loaded.settle()
    finally loaded.release()
  }

  private def tidying[T](maintain: => T): T =
    try {
      if (state.hasPublished) recovery.forgetLeft()
      local.tidy()
      maintain
    } finally memory.giveBackFreed()

  private def opened(version: StateVersion)(start: => Transaction): Transaction = {
    if (version.version < 0) {
      throw new Misuse(
        s"There is no version ${version.version}",
        "Versions count from 0, the empty store.",
        Some(version.version)
      )
    }
    state.opening(version)(start)
  }

  private def transactionOn(version: StateVersion): StoreTransaction =
    atHand(version).getOrElse(recovering.inTurn(version) {
      atHand(version).orElse(turned(version)).getOrElse(recovered(version))
    })

  /** A transaction on the current database, if that one holds `version`. */
  private def atHand(version: StateVersion): Option[StoreTransaction] =
    state.current.flatMap { loaded =>
      try
        if (isReplaced(loaded, version)) {
          state.discard(loaded)
          None
        } else {
          val anew = openedAnew(loaded, version)
          try start(anew.getOrElse(loaded), version, RecoveryMetrics())
          finally anew.foreach(_.release())
        }
      finally loaded.release()
    }

  /** What takes the place of the current database if that has outgrown what it was opened with; the caller lets it go. */
  private def openedAnew(loaded: LoadedDb, version: StateVersion): Option[LoadedDb] =
    if (loaded.head.is(version) && loaded.isToOpenAnew) recovery.openedAnew(loaded).filter { anew =>
      OnFailure(anew.release())(state.replace(loaded, anew)) || { anew.release(); false }
    }
    else None

  /** A transaction on the current database, if that one can turn to `version`: a batch is run once more that was committed here, or goes on
    * from another of its runs than the last.
    */
  private def turned(version: StateVersion): Option[StoreTransaction] = {
    val isTurned = state.isNewest(version) && state.current.exists { loaded =>
      try {
        if (loaded.head.version == version.version + 1) state.expectTurns()
        loaded.turnTo(version)
      } finally loaded.release()
    }
    if (isTurned) atHand(version) else None
  }

  /** Whether another executor's attempt has replaced, under the one name they share, the version that is at hand here. */
  private def isReplaced(loaded: LoadedDb, version: StateVersion): Boolean = {
    val head = loaded.head
    !settings.checkpointIds && version.checkpointId.isEmpty && head.is(version) && !recovery.isStored(head)
  }

  private def recovered(version: StateVersion): StoreTransaction = {
    state.takeBroken().foreach { broken =>
      local.discard(broken.folder)
      broken.release()
    }
    val current = state.current
    try {
      val (loaded, metrics) = recovery.recover(version, current)
      try
        start(loaded, version, metrics) match {
          case Some(transaction) =>
            state.install(loaded)
            transaction
          case None =>
            loaded.requireSound()
            transactionOn(version) // others have gone on with it
        }
      finally loaded.release()
    } finally current.foreach(_.release())
  }

  private def start(loaded: LoadedDb, version: StateVersion, metrics: RecoveryMetrics): Option[StoreTransaction] =
    loaded.holding(_.is(version))(base(version, _, loaded)).map(transaction(_, metrics, deltaCommits))

  private def base(asked: StateVersion, held: CommittedVersion, source: LoadedDb) =
    new LoadedBase(asked, held, source, settings.keysAtOnce)

  private def transaction(base: LoadedBase, metrics: RecoveryMetrics, commits: CommitProtocol): StoreTransaction =
    OnFailure(base.close()) {
      base.openCache()
      new StoreTransaction(base, metrics, commits)
    }
}

object StateEngine {

  /** Opens the store in `files`. Reads nothing yet. `folder` is for this store alone. */
  def open(files: RemoteFiles, folder: StoreFolder, settings: EngineSettings, memory: SharedMemory): StateEngine =
    new StateEngine(files, new LocalFolder(folder), settings, memory)
}

package io.rockstate.engine.maintenance

import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.locks.ReentrantLock

import io.rockstate.engine.api.{EngineSettings, MaintenanceReport}
import io.rockstate.engine.loaded.{LoadedDb, StoreState}
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.errors.StateStoreException
import io.rockstate.files.RemoteFiles

/** What runs beside tasks: snapshots, then clean-up. One run at a time; a second one that comes meanwhile does nothing. */
private[engine] final class Maintenance(
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings,
    state: StoreState
) {
  private val uploads = new SnapshotUpload(files, local, settings)
  private val retention = new Retention(files, settings)
  private val running = new ReentrantLock
  private val requested = new AtomicLong // the newest version of which a snapshot is wanted
  @volatile private var stored = 0L
  @volatile private var isStoring = false
  @volatile private var lastSnapshot: Option[UploadedSnapshot] = None

  def lastUploaded: Long = lastSnapshot.fold(-1L)(_.version.version)

  /** How many snapshots were stored. */
  def snapshots: Long = stored

  /** Has a snapshot of this version or a later one stored, unless one was, or is just being, since there were `known`: who wants one had not
    * heard of that yet.
    */
  def requestSnapshot(version: Long, known: Long): Unit =
    if (!isStoring && stored == known) { requested.accumulateAndGet(version, math.max(_, _)); () }

  /** Stores a snapshot if one is due. */
  def storeSnapshot(): MaintenanceReport = alone(storeSnapshot)

  /** Deletes what is needed no more. */
  def cleanUp(): MaintenanceReport = alone(cleanUp)

  /** Both, the snapshot first. */
  def run(): MaintenanceReport = alone(run)

  /** Both, if a snapshot was requested since the last: of the version that was just committed. */
  def runIfRequested(): MaintenanceReport = alone { loaded =>
    if (requested.get <= loaded.settledReplay.snapshot.version) MaintenanceReport()
    else {
      loaded.applyLayersIfFree()
      run(loaded)
    }
  }

  /** Stores a snapshot of `loaded` on the caller's thread, after a maintenance that is under way: who waits for it can be told to stop. */
  def uploadNow(loaded: LoadedDb): Unit = {
    running.lockInterruptibly()
    try { upload(loaded); () }
    finally running.unlock()
  }

  private def alone(maintain: LoadedDb => MaintenanceReport): MaintenanceReport =
    if (!running.tryLock()) MaintenanceReport()
    else
      try
        state.current.fold(MaintenanceReport()) { loaded =>
          try maintain(loaded)
          finally loaded.release()
        }
      finally running.unlock()

  /** Where the snapshot fails, room may be all that it lacks. */
  private def run(loaded: LoadedDb): MaintenanceReport = {
    val stored =
      try storeSnapshot(loaded)
      catch {
        case failure: StateStoreException =>
          try cleanUp(loaded)
          catch { case another: StateStoreException => failure.addSuppressed(another) }
          throw failure
      }
    stored.copy(deletedFiles = cleanUp(loaded).deletedFiles)
  }

  private def storeSnapshot(loaded: LoadedDb): MaintenanceReport =
    if (!isDue(loaded)) MaintenanceReport()
    else {
      val uploaded = upload(loaded)
      MaintenanceReport(Some(uploaded.version), uploaded.uploadedBytes, uploaded.uploadedFiles)
    }

  private def cleanUp(loaded: LoadedDb): MaintenanceReport =
    MaintenanceReport(deletedFiles = retention.cleanUp(loaded.head.version))

  private def isDue(loaded: LoadedDb): Boolean = {
    val replay = loaded.settledReplay
    val wanted = requested.get
    (wanted > replay.snapshot.version && loaded.settledVersion.version >= wanted) ||
    SnapshotPolicy.isDue(
      replay.deltas.size,
      replay.size,
      replay.snapshot.tableBytes,
      settings.minDeltasForSnapshot
    )
  }

  private def upload(loaded: LoadedDb): UploadedSnapshot = {
    isStoring = true
    try {
      val uploaded = uploads.upload(loaded)
      lastSnapshot = Some(uploaded)
      stored += 1
      uploaded
    } finally isStoring = false
  }
}

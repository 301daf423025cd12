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
  private val snapshots = new SnapshotUpload(files, local, settings)
  private val retention = new Retention(files, settings)
  private val running = new ReentrantLock
  private val requests = new AtomicLong
  @volatile private var answered = 0L // of the requests
  @volatile private var lastSnapshot: Option[UploadedSnapshot] = None

  def lastUploaded: Long = lastSnapshot.fold(-1L)(_.version.version)

  def requestSnapshot(): Unit = { requests.incrementAndGet(); () }

  /** Stores a snapshot if one is due. */
  def storeSnapshot(): MaintenanceReport = alone(storeSnapshot)

  /** Deletes what is needed no more. */
  def cleanUp(): MaintenanceReport = alone(cleanUp)

  /** Both, the snapshot first. Where that fails, room may be all that it lacks. */
  def run(): MaintenanceReport = alone { loaded =>
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
    (requests.get > answered && loaded.settledVersion.version > replay.snapshot.version) ||
    SnapshotPolicy.isDue(
      replay.deltas.size,
      replay.size,
      replay.snapshot.tableBytes,
      settings.minDeltasForSnapshot
    )
  }

  private def upload(loaded: LoadedDb): UploadedSnapshot = {
    val asked = requests.get
    val uploaded = snapshots.upload(loaded)
    answered = asked
    lastSnapshot = Some(uploaded)
    uploaded
  }
}

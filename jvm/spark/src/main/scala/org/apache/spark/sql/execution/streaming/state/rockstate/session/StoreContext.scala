package org.apache.spark.sql.execution.streaming.state.rockstate.session

import java.io.{IOException, UncheckedIOException}
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.{AtomicBoolean, AtomicLong, AtomicReference}
import java.util.concurrent.locks.ReentrantLock

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{FamilyCodecs, RowCodec}
import org.apache.spark.sql.execution.streaming.state.rockstate.errors.{
  ForeignCheckpoint,
  InStore,
  KeyOrder,
  SparkErrors
}
import org.apache.spark.sql.execution.streaming.state.rockstate.reports.{
  CoordinatorReports,
  OpenStores,
  StoreCounters,
  StoreMetrics
}
import org.apache.spark.sql.execution.streaming.state.rockstate.rows.{RowChanges, RowValidation}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{Coordinator, MetricsWithInstance}
import org.apache.spark.util.ThreadUtils

import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.{MaintenanceReport, Transaction}
import io.rockstate.errors.OnFailure
import io.rockstate.files.RemoteFiles
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** What an initialized provider and its stores share: the open engine and what Spark said at `init`. */
private[rockstate] final class StoreContext(
    setup: StoreSetup,
    codecs: FamilyCodecs,
    coordinator: CoordinatorReports,
    files: RemoteFiles,
    engine: StateEngine,
    onClose: StoreContext => Unit
) extends Logging {
  import StoreContext._
  import setup.{conf, hadoopConf, keySchema, useColumnFamilies, valueSchema}

  private val inStore = new InStore(id)
  private val local = new ReentrantLock
  private var isClosed = false
  @volatile private var isCloseWanted = false
  private val wasActive = new AtomicReference[Option[Boolean]](None)
  private val toldSnapshot = new AtomicLong
  private val isFirstCommit = new AtomicBoolean(true)
  private val isSnapshotAsked = new AtomicBoolean
  @volatile private var wasMaintained = false
  val counters = new StoreCounters
  private val keyOrder = new KeyOrder(id, keySchema, hadoopConf)
  private val validation = new RowValidation(keySchema, valueSchema, useColumnFamilies, id, conf)

  def id: StateStoreId = setup.id

  /** The column families of a session's transaction. */
  def familiesOf(session: StoreSession): SessionFamilies = new SessionFamilies(session, codecs, useColumnFamilies)

  /** A session on a version, or Spark's error for a version that cannot be loaded. */
  def load(version: StateVersion): StoreSession = loading {
    keyOrder.check()
    val session = sessionOn(engine.begin(version))
    if (engine.lastSnapshot > toldSnapshot.get && coordinator.isHeldHere) tellSnapshot(engine.lastSnapshot)
    session
  }

  /** A session that commits the version after `version` but starts from nothing. */
  def loadEmpty(version: StateVersion): StoreSession = loading(sessionOn(engine.beginEmpty(version)))

  /** A session on a version as that snapshot and the deltas since make it. */
  def replay(snapshot: StateVersion, version: StateVersion): StoreSession =
    try closedIfItFails(sessionOn(engine.beginFromSnapshot(snapshot, version)))
    catch { case NonFatal(e) => throw SparkErrors.replayFailed(explained(e)) }

  /** The changes that made these versions, in the named column family or, without a name, the default one. */
  def changes(first: Long, last: StateVersion, familyName: Option[String]): RowChanges = {
    val name = familyName.getOrElse(StateStore.DEFAULT_COL_FAMILY_NAME)
    val codec = if (name == StateStore.DEFAULT_COL_FAMILY_NAME) defaultCodec() else codecAt(last, name)
    new RowChanges(loading(engine.changes(first, last)), codec, inStore)
  }

  /** The default family has its id in all versions: none has to be loaded for that. */
  private def defaultCodec(): RowCodec = loading {
    keyOrder.check()
    codecs.codec(StateStore.DEFAULT_COL_FAMILY_NAME, ColumnFamily.DefaultId).get
  }

  private def codecAt(version: StateVersion, familyName: String): RowCodec = {
    val session = load(version)
    try familiesOf(session).codec("readChangeFeed", familyName)
    finally session.release()
  }

  /** The validation of the rows that a store reads which began from this version. */
  def validationFrom(version: Long): RowValidation = {
    validation.begin(version)
    validation
  }

  /** How many snapshots were stored here. */
  def snapshotsStored: Long = engine.snapshotsStored

  /** A snapshot that is wanted is the next maintenance's. Before the first one, which comes after a minute, the store has one of its own:
    * runs may end earlier, each of them, and their deltas pile up; of that the first commit knows.
    *
    * @param wantsSnapshot how many snapshots had been stored when one was asked for, if so
    */
  def afterCommit(committed: StateVersion, wantsSnapshot: Option[Long]): Unit = {
    if (wasActive.get.isEmpty) wasActive.set(coordinator.isActive)
    Coordinator.committed(id, committed.version, conf, hadoopConf)
    val isOverdue = isFirstCommit.getAndSet(false) && engine.deltasSinceSnapshot >= OverdueDeltas
    wantsSnapshot.orElse(Option.when(isOverdue)(engine.snapshotsStored)).foreach { known =>
      engine.requestSnapshot(committed.version, known)
      if (!wasMaintained && isSnapshotAsked.compareAndSet(false, true)) maintenanceThread.execute(() => maintainSoon())
    }
  }

  private def maintainSoon(): Unit = {
    isSnapshotAsked.set(false)
    maintaining(engine.maintainIfRequested())
  }

  def storeSnapshot(): Unit = maintained(engine.storeSnapshot())

  def cleanUp(): Unit = maintained(engine.cleanUp())

  def maintain(): Unit = maintained(engine.maintain())

  private def maintained(maintenance: => MaintenanceReport): Unit = {
    wasMaintained = true
    maintaining(maintenance)
  }

  /** A failure is left to the next run: throwing would make Spark unload the provider, and all its local state with it. */
  private def maintaining(maintenance: => MaintenanceReport): Unit = {
    local.lock()
    try if (!isCloseWanted) note(maintenance)
    catch {
      case NonFatal(e) =>
        counters.add(StoreMetrics.maintenanceFailures, 1)
        logWarning(s"Maintenance of $id failed; the next run tries again", e)
    } finally {
      local.unlock()
      if (isCloseWanted) closeUnlessBusy()
    }
  }

  private def note(report: MaintenanceReport): Unit = {
    report.snapshot.foreach(version => tellSnapshot(version.version))
    counters.add(StoreMetrics.snapshotsUploaded, report.snapshot.size.toLong)
    counters.add(StoreMetrics.snapshotFilesWritten, report.uploadedFiles.toLong)
    counters.add(StoreMetrics.snapshotBytesWritten, report.uploadedBytes)
    counters.add(StoreMetrics.filesDeleted, report.deletedFiles.toLong)
  }

  /** Tells the coordinator which snapshot a recovery would start from, if there is one that it has not heard of: it takes a query's store of
    * which it knows none for one that lags behind, and has it store one. Of who only reads a checkpoint it does not know.
    */
  private def tellSnapshot(version: Long): Unit =
    if (toldSnapshot.getAndAccumulate(version, math.max(_, _)) < version) coordinator.snapshotStored(version, conf)

  /** @param counted what was counted beside batches */
  def metrics(
      session: StoreSession,
      forcedSnapshot: Boolean,
      counted: Map[StateStoreCustomMetric, Long]
  ): StateStoreMetrics = {
    val transaction = session.transaction.metrics
    val custom = StoreMetrics.of(transaction) ++ counted +
      (StoreMetrics.forcedSnapshots -> (if (forcedSnapshot) 1L else 0L)) +
      (StoreMetrics.deltasSinceSnapshot -> engine.deltasSinceSnapshot)
    val memory = shareOfMemory + transaction.pendingBytes
    MetricsWithInstance(id, transaction.rows, memory, custom, engine.lastUploadedSnapshot)
  }

  /** Lets go of the engine; a maintenance that is under way does it at its end. That may take long, and Spark 4.0 opens no other store of the
    * JVM before this returns.
    */
  def close(): Unit = {
    isCloseWanted = true
    closeUnlessBusy()
  }

  /** Whoever is busy asks again when it is not. */
  private def closeUnlessBusy(): Unit = if (local.tryLock())
    try closeNow()
    finally local.unlock()

  private def closeNow(): Unit =
    if (!isClosed) {
      isClosed = true
      OpenStores.removeOne()
      try engine.close()
      catch {
        // A transaction of a task that was given up may still write there.
        case e @ (_: IOException | _: UncheckedIOException) =>
          logWarning(s"Could not leave or delete the local folder of $id", e)
      } finally onClose(this)
    }

  /** Closes a store that the driver's coordinator knew to be a query's when it committed, and knows no more. A maintenance or a close that is
    * under way is waited for, but not for long: Spark opens no other store meanwhile.
    *
    * @param opener of a store in the same place
    */
  def closeIfEnded(opener: CoordinatorReports): Unit = if (hasEnded(opener) && local.tryLock(MostWaitSeconds, SECONDS))
    try close()
    finally local.unlock()

  /** A store that is opened once more by the same run is one that Spark has dropped here. To others the run may only have moved it, and come
    * back to this one.
    */
  private def hasEnded(opener: CoordinatorReports): Boolean = wasActive.get.contains(true) &&
    (if (coordinator.isOfRunOf(opener)) coordinator.isActive else coordinator.isOfQuery).contains(false)

  /** Spark's state data source leaves open what it could not load, a query's next task tries again. */
  private def closedIfItFails[T](load: => T): T = OnFailure {
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit] { _ =>
      if (coordinator.isOfQuery.contains(false) && !coordinator.isHeldHere) close()
    })
  }(load)

  private def loading[T](body: => T): T =
    try closedIfItFails(body)
    catch {
      case NonFatal(e) => throw SparkErrors.loadFailed(id.storeCheckpointLocation(), files, explained(e))
      case e: OutOfMemoryError =>
        val tooLarge = SparkErrors.noMemory("load the store", e)
        throw SparkErrors.loadFailed(id.storeCheckpointLocation(), files, explained(tooLarge))
    }

  private def explained(failure: Throwable): Throwable = inStore.told(ForeignCheckpoint.explain(files, failure))

  private def sessionOn(transaction: Transaction): StoreSession =
    new StoreSession(new TransactionInStore(transaction, inStore))

  /** Stores share memory, and Spark adds up what they report: each reports an equal part. */
  private def shareOfMemory: Long = engine.sharedMemoryBytes / OpenStores.count
}

private object StoreContext {
  private val MostWaitSeconds = 2L

  /** With so many deltas to replay at a start, runs end before their maintenance: a busy query's are stored away after a minute. */
  private val OverdueDeltas = 100

  /** Of stores that cannot wait for Spark's, one after the other. Those it does not come to before the JVM ends are nobody's loss. */
  private val maintenanceThread =
    ThreadUtils.newDaemonCachedThreadPool("rockstate-maintenance", maxThreadNumber = 1, keepAliveSeconds = 10)
}

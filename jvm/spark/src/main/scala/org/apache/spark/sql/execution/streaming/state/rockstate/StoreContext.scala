package org.apache.spark.sql.execution.streaming.state.rockstate

import java.io.{File, IOException, UncheckedIOException}

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.FamilyCodecs
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.Utils

import io.rockstate.engine.api.MaintenanceReport
import io.rockstate.engine.StateEngine
import io.rockstate.files.RemoteFiles
import io.rockstate.versions.StateVersion

/** What an initialized provider and its stores share: the open engine and what Spark said at `init`. */
private[rockstate] final class StoreContext(
    val id: StateStoreId,
    keySchema: StructType,
    valueSchema: StructType,
    val useColumnFamilies: Boolean,
    conf: StateStoreConf,
    hadoopConf: Configuration,
    coordinator: CoordinatorReports,
    val codecs: FamilyCodecs,
    files: RemoteFiles,
    localFolder: File,
    engine: StateEngine
) extends Logging {
  private val local = new Object
  private var isClosed = false
  val counters = new StoreCounters
  private val validation = new RowValidation(keySchema, valueSchema, useColumnFamilies, id, conf)

  /** A session on a version, or Spark's error for a version that cannot be loaded. */
  def load(version: StateVersion): StoreSession = loading(new StoreSession(engine.begin(version)))

  /** A session that commits the version after `version` but starts from nothing. */
  def loadEmpty(version: StateVersion): StoreSession = loading(new StoreSession(engine.beginEmpty(version)))

  /** A session on a version as that snapshot and the deltas since make it. */
  def replay(snapshot: StateVersion, version: StateVersion): StoreSession =
    try new StoreSession(engine.beginFromSnapshot(snapshot, version))
    catch { case NonFatal(e) => throw SparkErrors.replayFailed(ForeignCheckpoint.explain(files, e)) }

  /** The changes that made these versions, in the named column family or, without a name, the default one. */
  def changes(first: Long, last: StateVersion, familyName: Option[String]): RowChanges = {
    val session = load(last)
    try {
      val families = new SessionFamilies(session, codecs, useColumnFamilies)
      val codec = families.codec("readChangeFeed", familyName.getOrElse(StateStore.DEFAULT_COL_FAMILY_NAME))
      new RowChanges(loading(engine.changes(first, last)), codec)
    } finally session.release()
  }

  /** The validation of the rows that a store reads which began from this version. */
  def validationFrom(version: Long): RowValidation = {
    validation.begin(version)
    validation
  }

  def afterCommit(committed: StateVersion, forceSnapshot: Boolean): Unit = {
    if (conf.commitValidationEnabled) StateStore.reportCommitToCoordinator(committed.version, id, hadoopConf)
    if (forceSnapshot) engine.requestSnapshot()
  }

  /** Uploads a snapshot and cleans up, if it is time. A failure is left to the next run: throwing would make Spark unload the provider,
    * and all its local state with it.
    */
  def maintain(): Unit = local.synchronized {
    try if (!isClosed) note(engine.maintain())
    catch {
      case NonFatal(e) =>
        counters.add(StoreMetrics.maintenanceFailures, 1)
        logWarning(s"Maintenance of $id failed; the next run tries again", e)
    }
  }

  private def note(report: MaintenanceReport): Unit = {
    report.snapshot.foreach(version => coordinator.snapshotUploaded(version.version))
    counters.add(StoreMetrics.snapshotsUploaded, report.snapshot.size.toLong)
    counters.add(StoreMetrics.snapshotFilesWritten, report.uploadedFiles.toLong)
    counters.add(StoreMetrics.snapshotBytesWritten, report.uploadedBytes)
    counters.add(StoreMetrics.filesDeleted, report.deletedFiles.toLong)
  }

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
    val instance =
      StoreMetrics.lastUploadedSnapshot.withNewId(id.partitionId, id.storeName) -> engine.lastUploadedSnapshot
    StateStoreMetrics(transaction.rows, shareOfMemory + transaction.pendingBytes, custom, Map(instance))
  }

  /** Lets go of the engine and of everything on the local disk, after a maintenance that is under way. */
  def close(): Unit = local.synchronized {
    isClosed = true
    OpenStores.removeOne()
    try {
      engine.close()
      Utils.deleteRecursively(localFolder)
    } catch {
      // A transaction of a task that was given up may still write there.
      case e @ (_: IOException | _: UncheckedIOException) =>
        logWarning(s"Could not delete $localFolder of $id; it goes when this JVM ends", e)
    }
  }

  private def loading[T](body: => T): T =
    try body
    catch {
      case NonFatal(e) =>
        throw SparkErrors.loadFailed(id.storeCheckpointLocation(), files, ForeignCheckpoint.explain(files, e))
    }

  /** Stores share memory, and Spark adds up what they report: each reports an equal part. */
  private def shareOfMemory: Long = engine.sharedMemoryBytes / OpenStores.count
}

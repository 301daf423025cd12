package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import org.apache.hadoop.conf.Configuration

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.RecordType.RecordType
import org.apache.spark.sql.execution.streaming.state.rockstate.errors.InStore
import org.apache.spark.sql.execution.streaming.state.rockstate.reports.StoreMetrics
import org.apache.spark.sql.execution.streaming.state.rockstate.session.{StoreContext, StoreSession, StoreSetup}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{
  upgradesReadStores,
  ProviderShim,
  SparkVersionCheck
}
import org.apache.spark.sql.execution.streaming.state.rockstate.store.{ReadStore, RockstateRocksDBStateStore}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.NextIterator

import io.rockstate.errors.{Misuse, OnFailure}
import io.rockstate.versions.StateVersion

/** Rockstate as Spark sees it: a provider of versioned stores over one `StateEngine`. The driver and the UI read the supported metrics
  * of an instance that is never initialized.
  */
class StoreProvider extends SparkVersionCheck with ProviderShim {
  import StoreProvider._

  @volatile private var state: State = New
  private val reads = new ReadsOfTasks

  override def init(
      stateStoreId: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConfs: StateStoreConf,
      hadoopConf: Configuration,
      useMultipleValuesPerKey: Boolean,
      stateSchemaProvider: Option[StateSchemaProvider]
  ): Unit = {
    val setup = StoreSetup(stateStoreId, keySchema, valueSchema, useColumnFamilies, storeConfs, hadoopConf)
    state = Open(OpenStore(setup, keyStateEncoderSpec, useMultipleValuesPerKey, stateSchemaProvider))
  }

  override def stateStoreId: StateStoreId = open.id

  /** An id that is given counts, whatever the session's checkpoint format is: readers of a checkpoint get a write store too, to declare
    * its column families. Only a commit needs the format to be the checkpoint's.
    */
  override def getStore(
      version: Long,
      stateStoreCkptId: Option[String],
      forceSnapshotOnCommit: Boolean,
      loadEmpty: Boolean
  ): StateStore = {
    val context = open
    val base = StateVersion(requireVersion(version), stateStoreCkptId)
    val session = if (loadEmpty) context.loadEmpty(base) else goneOnWith(context, base).getOrElse(context.load(base))
    writing(context, session, forceSnapshotOnCommit)
  }

  override def getReadStore(version: Long, uniqueId: Option[String]): ReadStateStore = {
    val context = open
    reading(context, context.load(StateVersion(requireVersion(version), uniqueId)))
  }

  /** Goes on with the read store's transaction. A read store of another provider (Spark may have replaced the instance between the two
    * calls) keeps its own, and the write store starts from the same version anew.
    */
  override def upgradeReadStoreToWriteStore(
      readStore: ReadStateStore,
      version: Long,
      uniqueId: Option[String],
      forceSnapshotOnCommit: Boolean
  ): StateStore = {
    val context = open
    val base = StateVersion(requireVersion(version), uniqueId)
    writing(context, takeOver(readStore, context, base).getOrElse(context.load(base)), forceSnapshotOnCommit)
  }

  override def replayStateFromSnapshot(
      snapshotVersion: Long,
      endVersion: Long,
      readOnly: Boolean,
      snapshotVersionStateStoreCkptId: Option[String],
      endVersionStateStoreCkptId: Option[String]
  ): StateStore = {
    val context = open
    val (snapshot, end) =
      replayed(snapshotVersion, snapshotVersionStateStoreCkptId, endVersion, endVersionStateStoreCkptId)
    writing(context, context.replay(snapshot, end), forceSnapshotOnCommit = false)
  }

  override def replayReadStateFromSnapshot(
      snapshotVersion: Long,
      endVersion: Long,
      snapshotVersionStateStoreCkptId: Option[String],
      endVersionStateStoreCkptId: Option[String]
  ): ReadStateStore = {
    val context = open
    val (snapshot, end) =
      replayed(snapshotVersion, snapshotVersionStateStoreCkptId, endVersion, endVersionStateStoreCkptId)
    reading(context, context.replay(snapshot, end))
  }

  override def getStateStoreChangeDataReader(
      startVersion: Long,
      endVersion: Long,
      colFamilyNameOpt: Option[String],
      endVersionStateStoreCkptId: Option[String]
  ): NextIterator[(RecordType, UnsafeRow, UnsafeRow, Long)] = {
    val end = StateVersion(requireFrom(startVersion, endVersion), endVersionStateStoreCkptId)
    open.changes(requireFrom(1, startVersion), end, colFamilyNameOpt)
  }

  /** Both kinds: now and then up to Spark 4.2, and before it unloads a store in every Spark. */
  override def doMaintenance(): Unit = ifOpen(_.maintain())

  override def doSnapshotMaintenance(): Unit = ifOpen(_.storeSnapshot())

  override def doCleanupMaintenance(): Unit = ifOpen(_.cleanUp())

  override def close(): Unit = synchronized {
    state match {
      case Open(context) =>
        state = Closed(context.id)
        context.close()
      case _ =>
    }
  }

  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] = StoreMetrics.supported

  /** The transaction in which the task has read, where Spark does not say so by an upgrade. */
  private def goneOnWith(context: StoreContext, base: StateVersion): Option[StoreSession] =
    if (upgradesReadStores) None else reads.ofThisTask.flatMap(_.handOver(context, base))

  private def ifOpen(action: StoreContext => Unit): Unit = state match {
    case Open(context) => action(context)
    case _ =>
  }

  private def open: StoreContext = state match {
    case Open(context) => context
    case New => throw new Misuse("The provider was used before init", "Call init first")
    case Closed(id) =>
      throw new InStore(id).told(
        new Misuse("The provider was used after close", "Ask Spark for the store again: this instance was unloaded")
      )
  }

  private def reading(context: StoreContext, session: StoreSession): ReadStateStore = {
    val store = OnFailure(session.abort())(new ReadStore(context, session))
    atTaskEnd(store.release())
    if (!upgradesReadStores) reads.opened(store)
    store
  }

  private def writing(context: StoreContext, session: StoreSession, forceSnapshotOnCommit: Boolean): StateStore = {
    val store = OnFailure(session.abort())(new RockstateRocksDBStateStore(context, session, forceSnapshotOnCommit))
    atTaskEnd(store.endWithTask())
    store
  }
}

private object StoreProvider {
  private sealed trait State
  private case object New extends State
  private final case class Open(context: StoreContext) extends State
  private final case class Closed(id: StateStoreId) extends State

  private def requireVersion(version: Long): Long = requireFrom(0, version)

  private def requireFrom(least: Long, version: Long): Long =
    if (version < least) throw QueryExecutionErrors.unexpectedStateStoreVersion(version) else version

  private def replayed(
      snapshotVersion: Long,
      snapshotId: Option[String],
      endVersion: Long,
      endId: Option[String]
  ): (StateVersion, StateVersion) =
    (
      StateVersion(requireFrom(1, snapshotVersion), snapshotId),
      StateVersion(requireFrom(snapshotVersion, endVersion), endId)
    )

  private def takeOver(readStore: ReadStateStore, context: StoreContext, base: StateVersion): Option[StoreSession] =
    readStore match {
      case ours: ReadStore => ours.handOver(context, base)
      case _ => None
    }

  private def atTaskEnd(action: => Unit): Unit =
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => action))
}

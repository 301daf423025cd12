package org.apache.spark.sql.execution.streaming.state.rockstate.store

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.errors.SparkErrors
import org.apache.spark.sql.execution.streaming.state.rockstate.reports.StoreMetrics
import org.apache.spark.sql.execution.streaming.state.rockstate.session.{StoreContext, StoreSession}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StoreShim
import org.apache.spark.sql.types.StructType

import io.rockstate.engine.api.Transaction

/** A version of a store for reading and writing: one transaction of the engine in Spark's clothes. After commit or abort it refuses
  * reads and writes alike, and its iterators show what was there when they were made, as Spark's RocksDB store does. Spark's own contract
  * suite expects that of stores with `RocksDBStateStore` in their names: hence the long one.
  *
  * @param forceSnapshotOnCommit whether Spark wants the committed version as a snapshot at once
  */
private[rockstate] final class RockstateRocksDBStateStore(
    context: StoreContext,
    session: StoreSession,
    forceSnapshotOnCommit: Boolean
) extends SessionReads(context, session)
    with StoreShim
    with Logging {
  private val wantsSnapshot = Option.when(forceSnapshotOnCommit)(context.snapshotsStored)

  override def put(key: UnsafeRow, value: UnsafeRow, colFamilyName: String): Unit = {
    val transaction = session.running("put")
    requireKey(key)
    require(value != null, "Cannot put a null value")
    val codec = families.codec("put", colFamilyName)
    val engineKey = codec.keys.encode(key)
    transaction.put(engineKey, codec.encodeValue(engineKey, value))
  }

  override def remove(key: UnsafeRow, colFamilyName: String): Unit = {
    val transaction = session.running("remove")
    requireKey(key)
    transaction.remove(families.codec("remove", colFamilyName).keys.encode(key))
  }

  override def deleteRange(beginKey: UnsafeRow, endKey: UnsafeRow, colFamilyName: String): Unit = {
    val transaction = session.running("deleteRange")
    requireKey(beginKey)
    requireKey(endKey)
    val keys = families.codec("deleteRange", colFamilyName).keys
    if (!keys.supportsDeleteRange) {
      throw new IllegalStateException("deleteRange requires a RangeKeyScanStateEncoderSpec for ordered key encoding")
    }
    val doomed = transaction.scan(keys.encode(beginKey), keys.encode(endKey))
    try while (doomed.next()) transaction.remove(doomed.key)
    finally doomed.close()
  }

  override def putList(key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String): Unit =
    writeValues("putList", key, values, colFamilyName)(_.put(_, _))

  override def merge(key: UnsafeRow, value: UnsafeRow, colFamilyName: String): Unit = {
    require(value != null, "Cannot merge a null value")
    writeValues("merge", key, Array(value), colFamilyName)(_.merge(_, _))
  }

  override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String): Unit =
    writeValues("mergeList", key, values, colFamilyName)(_.merge(_, _))

  override def createColFamilyIfAbsent(
      colFamilyName: String,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      isInternal: Boolean
  ): Unit =
    registerColFamily(colFamilyName, keySchema, valueSchema, keyStateEncoderSpec, useMultipleValuesPerKey, isInternal)

  override def removeColFamilyIfExists(colFamilyName: String): Boolean = families.remove(colFamilyName)

  override def commit(): Long = {
    // Of a task that was killed a query may have done the work since: under a plain name that would be replaced.
    Option(TaskContext.get()).foreach(_.killTaskIfInterrupted())
    val committed =
      try session.commit()
      catch {
        case e: StateStoreOperationOutOfOrder => throw e
        case NonFatal(e) => throw SparkErrors.commitFailed(toString, e)
        case e: OutOfMemoryError => throw SparkErrors.commitFailed(toString, SparkErrors.noMemory("commit", e))
      }
    logInfo(s"Committed version $committed of $id")
    context.afterCommit(committed, wantsSnapshot)
    committed.version
  }

  override def abort(): Unit = {
    if (session.isOpen) {
      logInfo(s"Aborting the transaction on version $version of $id")
      context.counters.add(StoreMetrics.aborts, 1)
    }
    session.abort()
  }

  override def hasCommitted: Boolean = session.committed.isDefined

  /** What was counted beside batches goes to the first store that has ended and is asked: Spark asks each batch's once or more. */
  private lazy val counted = context.counters.take()

  override def metrics: StateStoreMetrics =
    context.metrics(session, forceSnapshotOnCommit, if (session.isOpen) Map.empty else counted)

  override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
    val committed = session.committed.getOrElse {
      throw StateStoreErrors.stateStoreOperationOutOfOrder("Cannot get checkpointInfo without committing the store")
    }
    StateStoreCheckpointInfo(id.partitionId, committed.version, committed.checkpointId, session.base.checkpointId)
  }

  private def writeValues(operation: String, key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String)(
      write: (Transaction, Array[Byte], Array[Byte]) => Unit
  ): Unit = {
    val transaction = session.running(operation)
    requireKey(key)
    requireValues(values)
    val codec = families.multiValued(operation, colFamilyName)
    val engineKey = codec.keys.encode(key)
    write(transaction, engineKey, codec.encodeValues(engineKey, values))
  }

  private def requireValues(values: Array[UnsafeRow]): Unit = {
    require(values != null, "The values must not be null")
    require(!values.contains(null), "None of the values may be null")
  }

  /** Aborts what its task has left open. */
  def endWithTask(): Unit =
    try if (session.isOpen) abort()
    catch { case NonFatal(e) => logWarning(s"Could not abort $this when its task ended", e) }

  override def toString: String = s"RockstateRocksDBStateStore[stateStoreId=$id, version=$version]"
}

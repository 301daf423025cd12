package io.rockstate.benchmarks.lab

import java.nio.file.Path
import java.util.UUID

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.benchmarks.Task
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.benchmarks.{Plan, WrongAnswer}

/** When the parts of a batch ended, in nanoseconds since its start.
  *
  * @param opened   getStore has returned
  * @param commit   how long commit took
  * @param measured metrics have been read
  * @param whole    the task has ended
  */
final case class BatchTimes(opened: Long, commit: Long, measured: Long, whole: Long)

/** One store of the provider under test, driven as an operator's task drives it. Batches follow each other from the version that the last
  * one made. Not thread-safe: the thread that calls is the task's.
  */
final class StoreUnderTest(
    plan: Plan,
    checkpoint: Path,
    layout: Layout,
    partition: Int,
    maintenanceEvery: Int,
    startVersion: Long = 0
) extends AutoCloseable {
  private val instance = open()
  private val maintenance = new Maintenance(instance)
  private var current = startVersion
  private var batchesSinceMaintenance = 0
  private var isOpen = true
  private var reportedBytes = 0L

  def version: Long = current

  /** What the last batch reported. */
  def memoryUsedBytes: Long = reportedBytes

  /** One task that writes and commits. */
  def batch(body: StateStore => Unit): BatchTimes = batch(forceSnapshot = false)(body)

  /** The same, and the version is stored as a snapshot before the task ends, as Spark's coordinator may ask for. */
  def batchWithSnapshot(body: StateStore => Unit): BatchTimes = batch(forceSnapshot = true)(body)

  private def batch(forceSnapshot: Boolean)(body: StateStore => Unit): BatchTimes =
    timed(instance.getStore(current, None, forceSnapshot))(body)

  /** One task of an aggregation: all it reads through a read store, then all it writes through the same store, upgraded. */
  def readThenWrite(read: ReadStateStore => Unit)(write: StateStore => Unit): BatchTimes = timed {
    val readStore = instance.getReadStore(current)
    read(readStore)
    instance.upgradeReadStoreToWriteStore(readStore, current)
  }(write)

  /** One task that reads and does not commit; nanoseconds that `body` took. */
  def reading(body: ReadStateStore => Unit): Long = Task.run {
    val store = instance.getReadStore(current)
    val start = System.nanoTime()
    body(store)
    val took = System.nanoTime() - start
    store.release()
    took
  }

  /** One task that fails after `body`: what it wrote is aborted. Nanoseconds that the abort and the task's end took. */
  def failing(body: StateStore => Unit): Long = {
    var written = 0L
    Task.fail {
      val store = instance.getStore(current)
      body(store)
      written = System.nanoTime()
      store.abort()
    }
    System.nanoTime() - written
  }

  /** Nanoseconds that getStore takes, and those until `firstRead` has ended; nothing is committed. */
  def opening(firstRead: StateStore => Unit): (Long, Long) = Task.run {
    val start = System.nanoTime()
    val store = instance.getStore(current)
    val opened = System.nanoTime() - start
    firstRead(store)
    val read = System.nanoTime() - start
    store.abort()
    (opened, read)
  }

  /** Runs maintenance and waits for it. */
  def maintain(): Unit = {
    maintenance.start()
    maintenance.await()
    batchesSinceMaintenance = 0
  }

  /** Waits for maintenance that is under way. */
  def awaitMaintenance(): Unit = maintenance.await()

  /** Also a second time. */
  override def close(): Unit = if (isOpen) {
    isOpen = false
    maintenance.close()
    instance.close()
  }

  private def timed(opened: => StateStore)(body: StateStore => Unit): BatchTimes = {
    val start = System.nanoTime()
    var openedAt, commitTook, measuredAt = 0L
    Task.run {
      val store = opened
      openedAt = System.nanoTime() - start
      body(store)
      val beforeCommit = System.nanoTime()
      val committed = store.commit()
      commitTook = System.nanoTime() - beforeCommit
      if (committed != current + 1 || !store.hasCommitted) throw new WrongAnswer(s"$committed follows version $current")
      reportedBytes = store.metrics.memoryUsedBytes
      measuredAt = System.nanoTime() - start
    }
    val whole = System.nanoTime() - start
    current += 1
    maintainNowAndThen()
    BatchTimes(openedAt, commitTook, measuredAt, whole)
  }

  /** Spark's maintenance runs beside the tasks and takes no second turn before the first has ended. */
  private def maintainNowAndThen(): Unit = {
    batchesSinceMaintenance += 1
    if (maintenanceEvery > 0 && batchesSinceMaintenance >= maintenanceEvery) {
      batchesSinceMaintenance = 0
      maintenance.start()
    }
  }

  private def open(): StateStoreProvider = {
    val conf = new SQLConf
    (plan.confs + ("spark.sql.streaming.stateStore.providerClass" -> plan.provider)).foreach { case (key, value) =>
      conf.setConfString(key, value)
    }
    StateStoreProvider.createAndInit(
      StateStoreProviderId(StateStoreId(BenchFileSystem.uri(checkpoint), 0, partition), UUID.randomUUID()),
      layout.keySchema,
      layout.valueSchema,
      layout.encoder,
      layout.columnFamilies,
      new StateStoreConf(conf),
      BenchFileSystem.configuration(),
      layout.multipleValues,
      stateSchemaProvider = None
    )
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.util.UUID
import java.util.concurrent.{Callable, ExecutionException, ExecutorService, Executors, TimeUnit, TimeoutException}

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage.LabFileSystem
import org.apache.spark.sql.internal.SQLConf

/** Whose provider is opened, for which store, on which options. */
private[conformance] final case class LabSetup(
    lab: String,
    storeName: String,
    partition: Int,
    rows: LabRows,
    families: Boolean,
    multi: Boolean,
    conf: Map[String, String]
)

/** One instance of the provider under test: an executor that has never seen the store. All calls run on one thread of its own, as a
  * task's do, but for maintenance, which has another, as in Spark. None may take longer than the command allows.
  */
private[conformance] final class LabProvider(setup: LabSetup) {
  import setup.{conf, families, multi, partition, storeName}

  val lab: String = setup.lab
  val defaultRows: LabRows = setup.rows
  private val thread = newThread("task")
  private val maintenance = newThread("maintenance")
  // A provider that goes on from what it left on the local disk must not find it: this one stands for another machine.
  private val emptyDisk = Map("spark.sql.streaming.stateStore.rockstate.warmRestartDisk" -> "0")
  @volatile private var stuck = false
  @volatile private var provider: StateStoreProvider = _

  def open(seconds: Long): Unit = run(thread, seconds) {
    val sqlConf = new SQLConf
    (emptyDisk ++ conf).foreach { case (key, value) => sqlConf.setConfString(key, value) }
    val id = StateStoreId(s"${LabFileSystem.Scheme}://$lab/state", operatorId = 0, partition, storeName)
    provider = StateStoreProvider.createAndInit(
      StateStoreProviderId(id, UUID.randomUUID()),
      defaultRows.keySchema,
      LabRows.ValueSchema,
      defaultRows.encoderSpec,
      useColumnFamilies = families,
      new StateStoreConf(sqlConf),
      LabFileSystem.configuration(),
      useMultipleValuesPerKey = multi,
      stateSchemaProvider = None
    )
  }

  def close(seconds: Long): Unit =
    try if (provider != null) run(thread, seconds)(provider.close())
    finally {
      thread.shutdown()
      maintenance.shutdown()
    }

  def apply[T](seconds: Long)(body: StateStoreProvider => T): T = run(thread, seconds)(body(provider))

  /** One round of maintenance, which the task waits for. */
  def maintain(seconds: Long): Unit = run(maintenance, seconds)(Maintenance.run(provider))

  private def newThread(name: String): ExecutorService = Executors.newSingleThreadExecutor { task =>
    val worker = new Thread(task, s"conformance-$lab-$name")
    worker.setDaemon(true)
    worker.setContextClassLoader(Thread.currentThread.getContextClassLoader)
    worker
  }

  private def run[T](thread: ExecutorService, seconds: Long)(body: => T): T = {
    if (stuck) throw new TimeoutException("An earlier call on this provider never came back")
    val running = thread.submit(new Callable[T] { override def call(): T = body })
    try running.get(seconds, TimeUnit.SECONDS)
    catch {
      case e: ExecutionException => throw e.getCause
      case _: TimeoutException =>
        stuck = true
        throw new TimeoutException(s"No answer within $seconds s")
    }
  }
}

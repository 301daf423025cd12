package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.net.URI
import java.util.UUID
import java.util.concurrent.{Callable, ExecutionException, ExecutorService, Executors, TimeUnit, TimeoutException}

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage.LabFileSystem
import org.apache.spark.sql.internal.SQLConf

/** Whose provider is opened, for which store, on which options; `threads` call it in turns. */
private[conformance] final case class LabSetup(
    lab: String,
    id: StateStoreId,
    rows: LabRows,
    families: Boolean,
    multi: Boolean,
    conf: Map[String, String],
    threads: Int
)

/** One instance of the provider under test: an executor that has never seen the store. All calls run on one thread of its own, as a
  * task's do, or on several in turns, as batches do, and a task whose calls come from Python. Maintenance has another, as in Spark, which
  * then closes the provider, too. No call may take longer than the command allows.
  */
private[conformance] final class LabProvider(setup: LabSetup) {
  import setup.{conf, families, multi}

  val lab: String = setup.lab
  val defaultRows: LabRows = setup.rows

  /** By which it knows the lab's storage. */
  def storageName: String = new URI(setup.id.checkpointRootLocation).getAuthority

  private val workers = Vector.tabulate(setup.threads)(n => newThread(s"task-$n"))
  private val turns = Iterator.continually(workers).flatten
  private val maintenance = newThread("maintenance")
  // A provider that goes on from what it left on the local disk must not find it: this one stands for another machine.
  private val emptyDisk = Map("spark.sql.streaming.stateStore.rockstate.warmRestartDisk" -> "0")
  @volatile private var stuck = false
  @volatile private var provider: StateStoreProvider = _

  def open(seconds: Long): Unit = apply(seconds) { _ =>
    provider = StateStoreProvider.createAndInit(
      StateStoreProviderId(setup.id, UUID.randomUUID()),
      defaultRows.keySchema,
      defaultRows.valueSchema,
      defaultRows.encoderSpec,
      useColumnFamilies = families,
      storeConf,
      LabFileSystem.configuration(),
      useMultipleValuesPerKey = multi,
      stateSchemaProvider = None
    )
  }

  def close(seconds: Long): Unit =
    try if (provider != null) run(if (workers.size == 1) workers.head else maintenance, seconds)(provider.close())
    finally (maintenance +: workers).foreach(_.shutdown())

  def apply[T](seconds: Long)(body: StateStoreProvider => T): T = run(turns.next(), seconds)(body(provider))

  /** The custom metrics that are declared by an instance that was never opened, which is what Spark asks for them. */
  def declaredBefore: Seq[StateStoreCustomMetric] =
    StateStoreProvider.create(storeConf.providerClass).supportedCustomMetrics

  private def storeConf: StateStoreConf = {
    val sqlConf = new SQLConf
    (emptyDisk ++ conf).foreach { case (key, value) => sqlConf.setConfString(key, value) }
    new StateStoreConf(sqlConf)
  }

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

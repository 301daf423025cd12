package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.net.URI
import java.util.UUID
import java.util.concurrent.{
  Callable,
  ExecutionException,
  ExecutorService,
  Executors,
  Future,
  TimeUnit,
  TimeoutException
}

import scala.collection.mutable

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage.{LabConfiguration, LabFileSystem}
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
  *
  * @param companion   one of the same run of a query; each other is of a run of its own
  * @param onItsThread whether the companion's task calls this one, too
  */
private[conformance] final class LabProvider(
    setup: LabSetup,
    companion: Option[LabProvider],
    onItsThread: Boolean
) {
  import setup.{conf, families, multi}
  import LabProvider._

  val lab: String = setup.lab
  val defaultRows: LabRows = setup.rows

  /** The rows of families, as they were declared last: who only reads declares them in a store of its own. */
  val declared: mutable.Map[String, LabRows] = mutable.Map.empty

  /** By which it knows the lab's storage. */
  def storageName: String = new URI(setup.id.checkpointRootLocation).getAuthority

  private val shared = companion.filter(_ => onItsThread).map(_.workers)
  private val workers: Vector[ExecutorService] =
    shared.getOrElse(Vector.tabulate(setup.threads)(n => newThread(s"task-$n")))
  private val runId: UUID = companion.fold(UUID.randomUUID())(_.runId)
  private val turns = Iterator.continually(workers).flatten
  private val maintenance = newThread("maintenance")
  // A provider that goes on from what it left on the local disk must not find it: this one stands for another machine.
  private val emptyDisk = Map("spark.sql.streaming.stateStore.rockstate.warmRestartDisk" -> "0")
  @volatile private var stuck = false
  @volatile private var isInterrupted = false
  @volatile private var closing: Option[Future[_]] = None
  @volatile private var provider: StateStoreProvider = _

  private val hadoopConf = new LabConfiguration

  /** Throws if the configuration was changed that others in its process have, too. */
  def requireConfOfOthers(): Unit = hadoopConf.requireUnchanged()

  /** Throws if others in this process have lost the file system that they have of Hadoop. */
  val requireFilesOfOthers: () => Unit = LabFileSystem.held(setup.id.checkpointRootLocation)

  /** In a task, as Spark does it. */
  def open(seconds: Long): Unit = apply(seconds) { _ =>
    provider = LabTask.during(
      StateStoreProvider.createAndInit(
        StateStoreProviderId(setup.id, runId),
        defaultRows.keySchema,
        defaultRows.valueSchema,
        defaultRows.encoderSpec,
        useColumnFamilies = families,
        storeConf,
        hadoopConf.get(),
        useMultipleValuesPerKey = multi,
        stateSchemaProvider =
          if (conf.get(Schemas).contains("true")) Some(new InMemoryStateSchemaProvider(NoSchemas)) else None
      )
    )
  }

  def close(seconds: Long): Unit =
    try
      closing match {
        case Some(begun) => answer(begun, seconds)
        case None if provider != null =>
          run(if (workers.size == 1) workers.head else maintenance, seconds)(provider.close())
        case None =>
      }
    finally (maintenance +: (if (shared.isEmpty) workers else Vector.empty)).foreach(_.shutdown())

  /** Begins to close the provider as Spark does once another executor has its partition: on the thread of maintenance, and whatever task
    * is at work. A while later it is closed, or waits for its stores.
    */
  def startClosing(): Unit = {
    val begun = submit(maintenance) {
      provider.doMaintenance()
      provider.close()
    }
    closing = Some(begun)
    try { begun.get(ClosingMillis, TimeUnit.MILLISECONDS); () }
    catch { case _: TimeoutException | _: ExecutionException => }
  }

  /** Maintenance and the close by the task itself, as with `unloadOnCommit`; none comes after it. */
  def unload(): Unit = {
    val ending = provider
    provider = null
    try Maintenance.run(ending)
    finally ending.close()
  }

  /** The next call finds its thread interrupted, as those of a task do that is killed. */
  def interrupt(): Unit = isInterrupted = true

  def apply[T](seconds: Long)(body: StateStoreProvider => T): T = {
    val isKilled = isInterrupted
    isInterrupted = false
    run(turns.next(), seconds)(if (isKilled) interrupted(body(provider)) else body(provider))
  }

  /** An instance that is never opened, which is what Spark asks for the metrics that there are. */
  def unopened: StateStoreProvider = StateStoreProvider.create(storeConf.providerClass)

  /** Spark's coordinator is to hear of the commit that makes the version after this one. */
  def trackCommit(version: Long, seconds: Long): Unit =
    apply(seconds)(_ => CommitTracking.track(runId, version, setup.id))

  /** Fails if it has not heard of it. */
  def validateCommit(version: Long, seconds: Long): Unit =
    apply(seconds)(_ => CommitTracking.validate(runId, version))

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
    answer(submit(thread)(body), seconds)
  }

  private def submit[T](thread: ExecutorService)(body: => T): Future[T] =
    thread.submit(new Callable[T] { override def call(): T = body })

  private def interrupted[T](body: => T): T = {
    Thread.currentThread.interrupt()
    try body
    finally { val _ = Thread.interrupted() }
  }

  private def answer[T](running: Future[T], seconds: Long): T =
    try running.get(seconds, TimeUnit.SECONDS)
    catch {
      case e: ExecutionException => throw e.getCause
      case _: TimeoutException =>
        stuck = true
        throw new TimeoutException(s"No answer within $seconds s")
    }
}

private object LabProvider {
  private val ClosingMillis = 200L
  private val Schemas = "spark.rockstate.conformance.stateSchemas"
  private val NoSchemas = StateSchemaMetadata(Map.empty)
}

package io.rockstate.benchmarks.lab

import java.util.concurrent.{ExecutionException, Executors, Future}

import org.apache.spark.sql.execution.streaming.state.StateStoreProvider

/** Runs a provider's maintenance on a thread of its own, as Spark's executors do. */
private[lab] final class Maintenance(provider: StateStoreProvider) extends AutoCloseable {
  private val thread = Executors.newSingleThreadExecutor { task =>
    val worker = new Thread(task, "maintenance")
    worker.setDaemon(true)
    worker
  }
  private var running: Option[Future[_]] = None

  /** Starts a run unless one is under way. A failure of the one before comes here or in `await`. */
  def start(): Unit = if (running.forall(_.isDone)) {
    await()
    running = Some(thread.submit((() => provider.doMaintenance()): Runnable))
  }

  /** Waits for the run that is under way, if any. */
  def await(): Unit = {
    val waitedFor = running
    running = None
    try waitedFor.foreach(_.get())
    catch { case e: ExecutionException => throw e.getCause }
  }

  override def close(): Unit = {
    await()
    thread.shutdown()
  }
}

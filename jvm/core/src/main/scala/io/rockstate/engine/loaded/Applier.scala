package io.rockstate.engine.loaded

import java.nio.file.Path
import java.util.concurrent.{Executor, LinkedBlockingQueue, ThreadPoolExecutor, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import org.slf4j.LoggerFactory

import io.rockstate.errors.OnFailure

/** What the applier works on. */
private[engine] trait Applicable {

  /** Whether it is on the applier's list. */
  def isApplyWanted: AtomicBoolean
  def folder: Path
  def applyLayersIfFree(): Unit

  /** Whoever works on it holds it meanwhile; false if it is closed. */
  def retain(): Boolean
  def release(): Unit
}

/** Does what commits leave to be done on a store's loaded versions, on threads that all stores of the JVM share. */
private[engine] final class Applier(threads: Executor = Applier.threads) extends AutoCloseable {
  private var running = 0
  private var isClosed = false

  /** Has the layers applied soon, unless that is about to begin already. */
  def start(loaded: Applicable): Unit = if (loaded.isApplyWanted.compareAndSet(false, true)) {
    OnFailure(loaded.isApplyWanted.set(false)) {
      soon(loaded) {
        loaded.isApplyWanted.set(false)
        loaded.applyLayersIfFree()
      }
    }
  }

  /** Has `work` done, unless it is closed by then. */
  def soon(loaded: Applicable)(work: => Unit): Unit = threads.execute(() =>
    if (enter())
      try run(loaded)(work)
      finally leave()
  )

  /** Returns when no database is in use here any more; what is still waiting is left out. An interrupt is kept for later: to leave now would
    * leave a database behind.
    */
  override def close(): Unit = {
    var isInterrupted = false
    synchronized {
      isClosed = true
      while (running > 0)
        try wait()
        catch { case _: InterruptedException => isInterrupted = true }
    }
    if (isInterrupted) Thread.currentThread().interrupt()
  }

  private def run(loaded: Applicable)(work: => Unit): Unit = if (loaded.retain())
    try work
    catch {
      case e: Throwable => // what is left uncaught ends an executor, and nobody interrupts this thread
        Applier.log.warn(
          s"Could not apply committed changes to ${loaded.folder}; the store will be recovered from storage",
          e
        )
    } finally loaded.release()

  private def enter(): Boolean = synchronized {
    if (!isClosed) running += 1
    !isClosed
  }

  private def leave(): Unit = synchronized {
    running -= 1
    notifyAll()
  }
}

private object Applier {
  private val log = LoggerFactory.getLogger(classOf[Applier])
  private val IdleSeconds = 10L

  /** A quarter of the processors: RocksDB's own threads have work to do as well. */
  private val threads: ThreadPoolExecutor = {
    val count = math.max(1, Runtime.getRuntime.availableProcessors / 4)
    val pool = new ThreadPoolExecutor(
      count,
      count,
      IdleSeconds,
      TimeUnit.SECONDS,
      new LinkedBlockingQueue[Runnable],
      (task: Runnable) => {
        val thread = new Thread(task, "rockstate-apply")
        thread.setDaemon(true)
        thread
      }
    )
    pool.allowCoreThreadTimeOut(true)
    pool
  }
}

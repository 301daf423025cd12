package io.rockstate.engine

import java.util.concurrent.{LinkedBlockingQueue, ThreadPoolExecutor, TimeUnit}
import java.util.concurrent.atomic.AtomicBoolean

import scala.util.control.NonFatal

import org.slf4j.LoggerFactory

/** Applies a loaded version's layers on threads that all stores of the JVM share. */
private[engine] final class Applier(loaded: LoadedDb) {
  private val isWaiting = new AtomicBoolean

  /** Has the layers applied soon, unless that is under way to begin already. */
  def start(): Unit = if (isWaiting.compareAndSet(false, true)) Applier.threads.execute(() => run())

  private def run(): Unit = {
    isWaiting.set(false)
    if (loaded.retain())
      try loaded.applyLayers()
      catch {
        case NonFatal(e) =>
          Applier.log.warn(
            s"Could not apply committed changes to ${loaded.folder}; the store will be recovered from storage",
            e
          )
      } finally loaded.release()
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

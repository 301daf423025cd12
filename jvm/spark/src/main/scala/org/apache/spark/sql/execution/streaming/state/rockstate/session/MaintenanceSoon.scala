package org.apache.spark.sql.execution.streaming.state.rockstate.session

import java.util.concurrent.{LinkedBlockingQueue, ThreadPoolExecutor, TimeUnit}

/** Maintenance of stores that cannot wait for Spark's: on one thread of the JVM, one after the other. Those it does not come to before the JVM
  * ends are nobody's loss.
  */
private[session] object MaintenanceSoon {
  private val IdleSeconds = 10L
  private val thread = {
    val pool = new ThreadPoolExecutor(
      1,
      1,
      IdleSeconds,
      TimeUnit.SECONDS,
      new LinkedBlockingQueue[Runnable],
      (work: Runnable) => {
        val thread = new Thread(work, "rockstate-maintenance")
        thread.setDaemon(true)
        thread
      }
    )
    pool.allowCoreThreadTimeOut(true)
    pool
  }

  def apply(maintain: => Unit): Unit = thread.execute(() => maintain)
}

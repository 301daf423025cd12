package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.concurrent.atomic.AtomicInteger

/** How many stores this JVM has open. */
private[rockstate] object OpenStores {
  private val stores = new AtomicInteger

  /** At least one, for whoever divides by it. */
  def count: Int = math.max(1, stores.get)

  def addOne(): Unit = {
    stores.incrementAndGet()
    ()
  }

  def removeOne(): Unit = {
    stores.decrementAndGet()
    ()
  }
}

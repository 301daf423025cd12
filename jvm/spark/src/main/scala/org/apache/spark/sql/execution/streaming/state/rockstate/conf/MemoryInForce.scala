package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import org.apache.spark.internal.Logging

/** The stores of a JVM share one memory, whose size the first to ask decides; who asks for another is told so in the log.
  *
  * The driver asks when a query starts, an executor when it opens a store.
  */
private[rockstate] final class MemoryInForce {
  private var first: Option[MemoryAsked] = None
  private var others = Set.empty[MemoryAsked]

  /** What to tell about these options, once for each that differ from the first. */
  def warning(asked: ProviderConf): Option[String] = synchronized {
    val memory = asked.memory
    val inForce = first.getOrElse(memory)
    first = Some(inForce)
    val isNews = memory != inForce && !others.contains(memory)
    others += memory
    Option.when(isNews) {
      s"A query asks for $memory, but $inForce was asked for first, and holds in each JVM that has opened a store since, until that JVM " +
        s"ends: its stores share one memory. Give all queries of an application the same ${ProviderConf.memoryBudget.key} and " +
        s"${ProviderConf.heapShare.key}, and start it anew to change them."
    }
  }
}

private[rockstate] object MemoryInForce extends Logging {
  private val ofThisJvm = new MemoryInForce

  /** Notes what is asked for, and warns if something else holds. */
  def ask(asked: ProviderConf): Unit = ofThisJvm.warning(asked).foreach(text => logWarning(text))
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import org.apache.spark.internal.Logging
import org.apache.spark.util.Utils

/** The stores of a JVM share one memory, whose size the first to ask decides; who asks for another is told so in the log.
  *
  * The driver asks when a query starts, an executor when it opens a store.
  */
private[rockstate] final class MemoryInForce {
  import MemoryInForce._

  private var first: Option[Sizes] = None
  private var others = Set.empty[Sizes]

  /** What to tell about these options, once for each that differ from the first. */
  def warning(asked: ProviderConf): Option[String] = synchronized {
    val sizes = Sizes(asked.memoryBudgetBytes, asked.heapSharePercent)
    val inForce = first.getOrElse(sizes)
    first = Some(inForce)
    val isNews = sizes != inForce && !others.contains(sizes)
    others += sizes
    Option.when(isNews) {
      s"A query asks for $sizes, but $inForce was asked for first, and holds in each JVM that has opened a store since, until that JVM " +
        s"ends: its stores share one memory. Give all queries of an application the same ${ProviderConf.memoryBudget.key} and " +
        s"${ProviderConf.heapShare.key}, and start it anew to change them."
    }
  }
}

private[rockstate] object MemoryInForce extends Logging {
  private val ofThisJvm = new MemoryInForce

  /** Notes what is asked for, and warns if something else holds. */
  def ask(asked: ProviderConf): Unit = ofThisJvm.warning(asked).foreach(text => logWarning(text))

  private final case class Sizes(budgetBytes: Long, heapSharePercent: Int) {
    override def toString: String =
      s"${ProviderConf.memoryBudget.name} ${Utils.bytesToString(budgetBytes)} with ${ProviderConf.heapShare.name} $heapSharePercent"
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.internal.Logging
import org.apache.spark.sql.internal.SQLConf

import FormatAtStart.Key

/** Has queries that start go on with the checkpoint format that they began with. Spark asks the session alone: with another one a query on
  * another provider fails in its first batch, and Spark 4.0 and 4.1 cannot read its commit log.
  *
  * A query gets a copy of the session's confs when it starts. So what the session had is put back when the next one does.
  */
private[extension] final class FormatAtStart extends Logging {
  private var last: Option[FormatAtStart.Change] = None

  /** @param began the format that the query began with; None if it is a new one */
  def goOnWith(began: Option[Int], conf: SQLConf): Unit = synchronized {
    val now = conf.getConf(Key)
    val own = last.filter(_.to == now).fold(now)(_.from)
    val wanted = began.getOrElse(own)
    if (wanted != now) conf.setConf(Key, wanted)
    last = if (wanted == own) None else Some(FormatAtStart.Change(own, wanted))
    last.foreach(_ => logInfo(s"The query goes on with its checkpoint format, $wanted, whatever ${Key.key} says"))
  }
}

private object FormatAtStart {
  val Key = SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION

  /** What was done to the session for a query. */
  final case class Change(from: Int, to: Int)
}

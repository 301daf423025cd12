package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StreamingQueryListener
import org.apache.spark.sql.streaming.StreamingQueryListener._

/** Has queries go on with the checkpoint format that they began with. Spark asks the session alone: with another one a query on another provider
  * fails in its first batch, and Spark 4.0 and 4.1 cannot read its commit log.
  *
  * A query gets a copy of the session's confs when it starts. So the session has that format while one does, and gets its own back then.
  */
private[extension] final class FormatAtStart(session: SparkSession) extends StreamingQueryListener with Logging {
  private val key = SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION
  private var isListening = false
  private var own: Option[Int] = None // while another one is in its place

  private def conf = session.sessionState.conf

  /** @param began the format that the query which is about to start began with; None if it is a new one */
  def goOnWith(began: Option[Int]): Unit = synchronized {
    putBack()
    val now = conf.getConf(key)
    began.filter(_ != now).foreach { format =>
      logInfo(s"The query goes on with its checkpoint format, $format, though ${key.key} is $now")
      if (!isListening) session.streams.addListener(this)
      isListening = true
      own = Some(now)
      conf.setConf(key, format)
    }
  }

  /** Comes before the query's start returns. */
  override def onQueryStarted(event: QueryStartedEvent): Unit = putBack()

  override def onQueryProgress(event: QueryProgressEvent): Unit = ()
  override def onQueryTerminated(event: QueryTerminatedEvent): Unit = ()

  private def putBack(): Unit = synchronized {
    own.foreach(conf.setConf(key, _))
    own = None
  }
}

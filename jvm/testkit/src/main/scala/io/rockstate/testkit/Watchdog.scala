package io.rockstate.testkit

import java.util.concurrent.TimeUnit.SECONDS

import org.scalatest.Assertions

/** Has what may hang fail instead, with where it hangs. */
object Watchdog extends Assertions {

  /** Runs it on a thread of its own, which is left to itself if it does not end in time. */
  def within(seconds: Long)(body: => Unit): Unit = {
    @volatile var failure: Option[Throwable] = None
    val thread = new Thread(
      () =>
        try body
        catch { case e: Throwable => failure = Some(e) },
      "watched"
    )
    thread.setDaemon(true)
    thread.start()
    thread.join(SECONDS.toMillis(seconds))
    if (thread.isAlive) fail(s"still at it after $seconds s:\n${thread.getStackTrace.mkString("\n")}")
    failure.foreach(throw _)
  }
}

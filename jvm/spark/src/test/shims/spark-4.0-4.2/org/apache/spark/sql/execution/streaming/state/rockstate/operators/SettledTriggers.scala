package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalatest.concurrent.PatienceConfiguration.Timeout
import org.scalatest.exceptions.TestFailedException

import org.apache.spark.sql.Dataset
import org.apache.spark.sql.execution.streaming.sources.MemorySink
import org.apache.spark.sql.streaming.{OutputMode, StreamTest}
import org.apache.spark.sql.streaming.util.StreamManualClock

/** Where Spark's tests with a manual clock do not wait for the trigger under way to end, this waits for them.
  *
  *   - A query stopped right after the clock was advanced may have begun a batch: its next start runs that batch at once, which
  *     "introducing TTL after restart fails query" takes for a query that failed too early.
  *   - Rows can be checked as soon as their offset is committed, which is before the query's progress tells of their batch.
  *
  *   - Whoever waits for an offset of a query that ends just then is never told (`StreamExecution.awaitOffset` looks before it takes the
  *     lock that it waits under): the test runs into its timeout although the query has failed as it should. Then it runs once more.
  *
  * All go well unless the machine is busy.
  */
trait SettledTriggers extends StreamTest {

  override def testStream(
      _stream: Dataset[_],
      outputMode: OutputMode,
      extraOptions: Map[String, String],
      sink: MemorySink
  )(actions: StreamAction*): Unit = {
    def run(): Unit = super.testStream(_stream, outputMode, extraOptions, sink)(actions.flatMap(settled): _*)
    try run()
    catch { case e: TestFailedException if SettledTriggers.hasEndedUnnoticed(e.getMessage) => run() }
  }

  private def settled(action: StreamAction): Seq[StreamAction] = action match {
    case StopStream | _: AssertOnQuery => Seq(triggerEnds, action)
    case other => Seq(other)
  }

  private def triggerEnds: AssertOnQuery = Execute("the trigger under way ends") { query =>
    query.triggerClock match {
      case clock: StreamManualClock =>
        eventually(Timeout(streamingTimeout)) {
          assert(!query.isActive || clock.isStreamWaitingAt(clock.getTimeMillis()))
        }
      case _ =>
    }
  }
}

object SettledTriggers {

  /** Whether a failed test waited in vain for a query that was not running any more. */
  def hasEndedUnnoticed(failure: String): Boolean =
    failure != null && failure.contains("Timed out waiting for stream") && failure.contains("Thread state: dead")
}

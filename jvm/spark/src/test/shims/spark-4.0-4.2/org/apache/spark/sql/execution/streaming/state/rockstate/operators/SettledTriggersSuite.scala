package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalatest.concurrent.PatienceConfiguration.Timeout
import org.scalatest.exceptions.TestFailedException

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.MovedInTests.{MemoryStream, StreamingQueryWrapper}
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.streaming.util.StreamManualClock

class SettledTriggersSuite extends SettledTriggers {
  import testImplicits._

  test("a query is stopped after the batch that the clock's advance began") {
    val input = MemoryStream[Int]
    val slowly = input.toDS().map { value => Thread.sleep(500); value }
    testStream(slowly)(
      StartStream(Trigger.ProcessingTime("1 second"), triggerClock = new StreamManualClock),
      AddData(input, 1),
      AdvanceManualClock(1000),
      StopStream,
      AssertOnQuery(_.commitLog.getLatestBatchId().contains(0L), "the batch was committed")
    )
  }

  test("a query's progress is looked at when it tells of the batch that was checked") {
    val input = MemoryStream[Int]
    testStream(input.toDS())(
      StartStream(Trigger.ProcessingTime("1 second"), triggerClock = new ClockThatDelaysQueries),
      AddData(input, 1),
      AdvanceManualClock(1000),
      UntilOffsetsAreCommitted,
      CheckNewAnswer(1),
      AssertOnQuery(_.lastProgress.numInputRows == 1, "one row came in")
    )
  }

  test("a test that waited in vain for a query that has ended runs once more; another failure stands") {
    assert(runsUntilGood("Timed out waiting for stream: 60 seconds. Thread state: dead") == 2)
    intercept[TestFailedException](runsUntilGood("Timed out waiting for stream: 60 seconds. Thread state: alive"))
    intercept[TestFailedException](runsUntilGood("Results do not match. Thread state: dead"))
  }

  /** How often a test runs that fails at first. */
  private def runsUntilGood(failure: String): Int = {
    var runs = 0
    val action = new ExternalAction {
      override def runAction(): Unit = {
        runs += 1
        if (runs == 1) fail(failure)
      }
    }
    testStream(MemoryStream[Int].toDS())(StartStream(), action)
    runs
  }

  private object UntilOffsetsAreCommitted extends ExternalAction {
    override def runAction(): Unit = {
      val query = spark.streams.active.head.asInstanceOf[StreamingQueryWrapper].streamingQuery
      eventually(Timeout(streamingTimeout))(assert(query.committedOffsets.nonEmpty))
    }
  }
}

/** Holds the thread of a query up for a moment whenever it asks for the time, as the end of a trigger does. */
private class ClockThatDelaysQueries extends StreamManualClock {
  override def getTimeMillis(): Long = {
    if (Thread.currentThread().getName.startsWith("stream execution thread")) Thread.sleep(50)
    super.getTimeMillis()
  }
}

package io.rockstate.engine.transaction

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Spark holds a task's transactions until the task ends, which may compute many partitions one after the other. */
class EndedTransactionsSuite extends AnyFunSuite with ClosesHandles {
  private val transactions = 30
  private val rows = 4000 // of a kilobyte

  private def ended(end: Transaction => Unit): Transaction =
    Using.resource(new EngineUnderTest(new MemoryFiles, EngineSettings(minDeltasForSnapshot = 1))) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      (1 to rows).foreach(n => transaction.putRow(s"row$n", s"$n" * 250))
      end(transaction)
      engine.maintain() // its snapshot takes all layers into the database
      transaction
    }

  private def usedBytes(): Long = {
    (1 to 3).foreach(_ => System.gc())
    Runtime.getRuntime.totalMemory - Runtime.getRuntime.freeMemory
  }

  Seq[(String, Transaction => Unit)]("committed" -> (_.commit(): Unit), "aborted" -> (_.abort())).foreach {
    case (how, end) =>
      test(s"a transaction that has $how holds none of its writes, and still tells how many they were") {
        val before = usedBytes()
        val held = Vector.fill(transactions)(ended(end))
        val written = held.map(_.metrics.pendingBytes).sum
        assert(written > transactions * 2000L * 1000)
        assert(usedBytes() - before < written / 4)
        held.foreach(_.hasCommitted)
      }
  }
}

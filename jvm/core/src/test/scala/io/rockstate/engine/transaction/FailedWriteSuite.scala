package io.rockstate.engine.transaction

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.Transaction
import io.rockstate.errors.{Misuse, NotFound, Unavailable}
import io.rockstate.testkit.{
  Calls,
  ClosesHandles,
  EngineUnderTest,
  FailAfter,
  FailBefore,
  Fault,
  FaultyFiles,
  Interrupt,
  Lose,
  MemoryFiles,
  RecordingFiles,
  RemoteOperation,
  Rows
}
import io.rockstate.versions.StateVersion

import RemoteOperation._
import Rows._

/** A frame that could not be written while the task runs: half of it may be in the delta, so that nothing may follow it. */
class FailedWriteSuite extends AnyFunSuite with ClosesHandles {

  /** More than a frame's worth of rows. */
  private def fill(transaction: Transaction): Unit = (1 to 3000).foreach(i => transaction.putRow(s"row$i", "x" * 100))

  private def refuses(transaction: Transaction): Unit =
    Seq[() => Any](
      () => transaction.putRow("again", "1"),
      () => transaction.mergeRow("again", "1"),
      () => transaction.removeRow("again"),
      () => transaction.row("again"),
      () => transaction.createColumnFamily("again", isInternal = false),
      () => transaction.commit()
    ).foreach(call => assert(intercept[Misuse](call()).problem.contains("failed write")))

  // A delta's header takes two writes, the first frame two more.
  (1 to 4).foreach { n =>
    Seq[Calls => Fault](FailBefore, FailAfter).foreach { fails =>
      test(s"after write $n failed ($fails) only abort works, and no output stays open") {
        val memory = new MemoryFiles
        val recording = new RecordingFiles(memory)
        val faulty = new FaultyFiles(recording, fails(Calls.of(Write).nth(n)))
        Using.resource(new EngineUnderTest(faulty)) { engine =>
          val transaction = engine.begin(StateVersion.Empty)
          intercept[Unavailable](fill(transaction))
          refuses(transaction)
          transaction.abort()
          assert(memory.names.isEmpty && recording.transcript == Vector("create 1.delta", "cancel 1.delta"))
          val retried = engine.begin(StateVersion.Empty)
          fill(retried)
          val one = retried.commit()
          engine.restart()
          val after = engine.begin(one)
          assert(after.rowCount == 3000 && after.rows.size == 3000)
          after.abort()
        }
      }
    }
  }

  test("a write that fails for anything but the row's size leaves a transaction that only abort works on") {
    Using.resource(new EngineUnderTest(new MemoryFiles)) { engine =>
      val writes = Seq[Transaction => Unit](_.put(key("a"), null), _.merge(key("a"), null))
      writes.foreach { write =>
        val transaction = engine.begin(StateVersion.Empty)
        intercept[NullPointerException](write(transaction))
        refuses(transaction)
        transaction.abort()
      }
    }
  }

  test("an interrupt during a write leaves a transaction that only abort works on") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(new FaultyFiles(memory, Interrupt(Calls.of(Write).nth(4))))) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      intercept[InterruptedException](fill(transaction))
      refuses(transaction)
      transaction.abort()
      assert(memory.names.isEmpty)
    }
  }

  test("a publish that fails with a missing file leaves nothing of the version at hand") {
    val memory = new MemoryFiles
    val here = new EngineUnderTest(new FaultyFiles(memory, Lose(Calls.of(Publish).nth(3))))
    Using.Manager { use =>
      use(here)
      val elsewhere = use(new EngineUnderTest(memory))
      val one = commit(here, StateVersion.Empty, "a" -> "1")
      val two = commit(here, one, "a" -> "here")
      val other = here.begin(one)
      other.putRow("a", "lost")
      intercept[NotFound](other.commit())
      other.abort()
      commit(elsewhere, one, "a" -> "elsewhere")
      assert(rowsAt(here, two) == Vector("a" -> "elsewhere"))
    }.get
  }
}

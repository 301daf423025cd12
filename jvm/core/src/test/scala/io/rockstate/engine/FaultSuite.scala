package io.rockstate.engine

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.StateStoreException
import io.rockstate.files.RemoteFiles
import io.rockstate.testkit.{Calls, EngineUnderTest, FailAfter, FailBefore, Fault, FaultyFiles, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Every call to storage fails once, before and after its effect, and the process may stop there: what was committed stays, and what was
  * not is either there whole or not at all.
  */
class FaultSuite extends AnyFunSuite {
  private val Versions = 6
  private val failures = Seq[Calls => Fault](FailBefore, FailAfter)

  Seq(false, true).foreach { checkpointIds =>
    val settings = EngineSettings(
      checkpointIds = checkpointIds,
      minDeltasForSnapshot = 2,
      minVersionsToRetain = 1,
      minVersionsToDelete = 1,
      maxVersionsToDelete = -1
    )
    val named = if (checkpointIds) "with checkpoint ids" else "without checkpoint ids"

    failures.foreach { fails =>
      test(s"a call that fails ($fails) leaves a store that goes on, $named") {
        val calls = callsOfOneRun(settings)
        assert(calls > 30)
        (1 to calls).foreach { n =>
          val fault = fails(Calls.all.nth(n))
          val memory = new MemoryFiles
          withClue(s"$fault: ")(goesOn(new FaultyFiles(memory, fault), memory, settings))
        }
      }
    }

    test(s"a process that stops at any call leaves whole versions, $named") {
      val calls = callsOfOneRun(settings)
      failures.foreach { fails =>
        (1 to calls).foreach { n =>
          val last = fails(Calls.all.nth(n))
          withClue(s"it stops where $last: ")(recovers(Seq(last, FailBefore(Calls.all.from(n + 1))), settings))
        }
      }
    }
  }

  /** A few versions with maintenance and a restart in between; each batch is tried again until it commits. */
  private def goesOn(files: RemoteFiles, memory: MemoryFiles, settings: EngineSettings): Unit =
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val last = (1 to Versions).foldLeft(StateVersion.Empty) { (base, i) =>
        val next = retrying(write(engine, base, i))
        retrying(engine.maintain())
        if (i == 4) engine.restart()
        next
      }
      assert(rows(engine, last) == expected(Versions))
      engine.restart()
      assert(rows(engine, last) == expected(Versions))
      Using.resource(new EngineUnderTest(memory.crashClone(), settings))(fresh =>
        assert(rows(fresh, last) == expected(Versions))
      )
    }

  /** From some call on all others fail too. Another process must find the last committed version or the one after it. */
  private def recovers(faults: Seq[Fault], settings: EngineSettings): Unit = {
    val memory = new MemoryFiles
    val stopping = new FaultyFiles(memory, faults: _*)
    var committed = StateVersion.Empty
    Using.resource(new EngineUnderTest(stopping, settings)) { engine =>
      try run(engine, committed, version => committed = version)
      catch { case _: StateStoreException => }
    }
    Using.resource(new EngineUnderTest(memory.crashClone(), settings)) { fresh =>
      assert(rows(fresh, committed) == expected(committed.version.toInt))
      val again = write(fresh, committed, committed.version.toInt + 1)
      assert(rows(fresh, again) == expected(again.version.toInt))
    }
  }

  private def run(engine: EngineUnderTest, start: StateVersion, committed: StateVersion => Unit): Unit = {
    (1 to Versions).foldLeft(start) { (base, i) =>
      val next = write(engine, base, i)
      committed(next)
      engine.maintain()
      if (i == 4) engine.restart()
      next
    }
    ()
  }

  private def callsOfOneRun(settings: EngineSettings): Int = {
    val counting = new FaultyFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(counting, settings))(run(_, StateVersion.Empty, _ => ()))
    counting.calls.size
  }

  /** Batch i: row i is new, row i-1 changes, row i-5 goes. */
  private def write(engine: EngineUnderTest, base: StateVersion, i: Int): StateVersion = {
    val transaction = engine.begin(base)
    try {
      transaction.putRow(f"row$i%02d", s"new $i")
      if (i > 1) transaction.putRow(f"row${i - 1}%02d", s"changed $i")
      if (i > 3) transaction.removeRow(f"row${i - 3}%02d")
      transaction.commit()
    } finally if (!transaction.hasCommitted) transaction.abort()
  }

  private def expected(i: Int): Vector[(String, String)] =
    (math.max(1, i - 2) to i).toVector.map(n => f"row$n%02d" -> (if (n == i) s"new $n" else s"changed ${n + 1}"))

  private def rows(engine: EngineUnderTest, version: StateVersion): Vector[(String, String)] = {
    val transaction = retrying(engine.begin(version))
    try {
      assert(transaction.rowCount == transaction.rows.size)
      transaction.rows
    } finally transaction.abort()
  }

  private def retrying[A](body: => A): A =
    try body
    catch { case _: StateStoreException => body }
}

package io.rockstate.engine.maintenance

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import EngineUnderTest.{AllOfIt, AmpleHeap}
import Rows._

/** What storage holds of queries that run each batch twice and go on from the first run, where runs have ids. */
class RunTwiceSuite extends AnyFunSuite with ClosesHandles {
  private val settings =
    EngineSettings(checkpointIds = true, minDeltasForSnapshot = 2, minVersionsToRetain = 2, minVersionsToDelete = 1)
  private val batches = 20

  /** The version that the query goes on from, with a row of each batch. */
  private def run(engine: EngineUnderTest)(afterBatch: => Unit): StateVersion =
    (1 to batches).foldLeft(StateVersion.Empty) { (base, batch) =>
      val first = commit(engine, base, f"row$batch%02d" -> "first run")
      commit(engine, base, f"row$batch%02d" -> "second run")
      afterBatch
      first
    }

  private val rows = (1 to batches).map(batch => f"row$batch%02d" -> "first run")

  test("snapshots are of the runs that it goes on from, and what they make superfluous is deleted") {
    val memory = new MemoryFiles
    val last = Using.resource(new EngineUnderTest(memory, settings)) { engine =>
      run(engine) { engine.maintained(); () }
    }
    Using.resource(new EngineUnderTest(memory, settings)) { fresh =>
      val transaction = fresh.begin(last)
      val work = transaction.metrics.recovery
      assert(work.snapshotVersion >= batches - 3 && work.deltasReplayed <= 3)
      assert(transaction.rows == rows)
      transaction.abort()
    }
    val deltas = memory.names.filter(_.endsWith(".delta")).map(_.takeWhile(_.isDigit).toInt)
    assert(deltas.min >= batches - 8 && deltas.max == batches)
  }

  test("what is left on the machine is a version that it goes on from") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory, settings, AmpleHeap, AllOfIt)) { engine =>
      val last = run(engine)(())
      engine.restart()
      val transaction = engine.begin(last)
      val work = transaction.metrics.recovery
      assert((work.warmRestarts, work.tableFilesFetched, work.deltasReplayed) == ((1, 0, 1)))
      assert(transaction.rows == rows)
      transaction.abort()
    }
  }
}

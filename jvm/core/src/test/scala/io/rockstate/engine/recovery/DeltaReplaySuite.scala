package io.rockstate.engine.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.{Applier, DeltaSize, Layers, LoadedDb, LoadedUnderTest}
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.errors.{Conflict, Unavailable}
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Replay on a database that fails, or that others go on with. */
class DeltaReplaySuite extends AnyFunSuite with ClosesHandles {
  private val Versions = 40
  private val files = {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory)) { engine =>
      (0 until Versions).foreach { base =>
        val transaction = engine.begin(StateVersion(base.toLong))
        transaction.putRow(s"row$base", "value")
        transaction.commit()
      }
    }
    memory
  }
  private val deltas = (1 to Versions).map(v => StateVersion(v.toLong)).toVector

  private def withDatabase[T](body: (LoadedDb, DeltaReplay) => T): T = within(new LoadedUnderTest)(body)

  private def within[T](loaded: LoadedUnderTest)(body: (LoadedDb, DeltaReplay) => T): T =
    try body(loaded.db, new DeltaReplay(files, EngineSettings(), loaded.heap))
    finally loaded.close()

  test(
    "a database that fails while deltas are replayed is told as that, with what made it fail, and not as a conflict"
  ) {
    withDatabase { (loaded, replay) =>
      val head = loaded.head
      // As a full disk does, this makes the applier fail.
      assert(loaded.advance(head, head.copy(commitId = "broken"), DeltaSize(1, 1), Layers.unknown))
      val failure = intercept[Unavailable](loaded.applyLayers())
      val error = intercept[Unavailable](replay(loaded, head, deltas, new RecoveryFigures))
      assert(error.getCause eq failure)
      assert(error.getMessage.contains("RocksDB") && error.getMessage.contains("free space"))
    }
  }

  test("a database that others go on with is left to them") {
    withDatabase { (loaded, replay) =>
      val head = loaded.head
      assert(replay(loaded, head, deltas.take(1), new RecoveryFigures))
      val next = loaded.head
      assert(!replay(loaded, head, deltas, new RecoveryFigures))
      assert(loaded.head eq next)
      assert(replay(loaded, next, deltas.drop(1), new RecoveryFigures) && loaded.head.version == Versions)
    }
  }

  test("who begins on many small deltas that were replayed finds few layers to look into") {
    val neverApplies = new Applier(_ => ())
    within(new LoadedUnderTest(heap = new HeapMemory(64L << 20), applier = neverApplies)) { (loaded, replay) =>
      assert(replay(loaded, loaded.head, deltas, new RecoveryFigures) && loaded.head.version == Versions)
      Using.resource(loaded.view())(view => assert(view.layers.length < 16))
    }
  }

  test("a delta that goes on from other rows is a conflict") {
    withDatabase { (loaded, replay) =>
      val other = loaded.head.copy(version = 1, commitId = "other", contentDigest = 5)
      assertThrows[Conflict](replay(loaded, other, deltas.drop(1), new RecoveryFigures))
    }
  }
}

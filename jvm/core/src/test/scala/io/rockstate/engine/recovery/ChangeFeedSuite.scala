package io.rockstate.engine.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.Conflict
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.{RowLayout, StateVersion}

import Rows._

/** Where attempts have no names of their own, one may replace a delta that another version was made on top of. */
class ChangeFeedSuite extends AnyFunSuite with ClosesHandles {
  private val two = StateVersion(2)
  private val three = StateVersion(3)

  /** Versions 1 to 3, of which another executor writes the second once more. */
  private def replaced(second: (String, String)): MemoryFiles = {
    val files = new MemoryFiles
    def engine = new EngineUnderTest(files, EngineSettings(minDeltasForSnapshot = 100))
    Using.resources(engine, engine) { (late, winner) =>
      val one = commit(winner, StateVersion.Empty, "a" -> "1")
      val transaction = late.begin(one)
      transaction.putRow(second._1, second._2)
      commit(winner, commit(winner, one, "b" -> "2"), "c" -> "3")
      transaction.commit()
    }
    files
  }

  private def versionsIn(files: MemoryFiles, first: Long, last: StateVersion): Vector[Long] =
    Using.resource(new ChangeFeed(files, RowLayout.Plain, first, last)) { feed =>
      Iterator.continually(feed).takeWhile(_.next()).map(_.version).toVector
    }

  test("versions of two histories are not told as those of one") {
    val files = replaced("b" -> "another")
    assert(versionsIn(files, 1, two) == Vector(1, 2))
    assert(versionsIn(files, 3, three) == Vector(3))
    Seq(1L, 2L).foreach { first =>
      val refused = intercept[Conflict](versionsIn(files, first, three))
      assert(refused.file.exists(_.endsWith("3.delta")) && refused.version.contains(2L))
    }
  }

  test("an attempt that wrote the same stands for the one that it replaced") {
    assert(versionsIn(replaced("b" -> "2"), 1, three) == Vector(1, 2, 3))
  }
}

package io.rockstate.engine.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.Unsupported
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.{RowLayout, StateVersion}

import Rows._

/** Rows that are not plain are told by their files: nobody reads them who would misread them. */
class LayoutSuite extends AnyFunSuite with ClosesHandles {
  private val plain = EngineSettings(minDeltasForSnapshot = 2)
  private val checked = plain.copy(rowLayout = RowLayout(Vector("checksums=true")))
  private val one = StateVersion(1)
  private val two = StateVersion(2)

  /** The files of two versions, with a snapshot of the second if `maintained`. */
  private def stored(settings: EngineSettings, maintained: Boolean): MemoryFiles = {
    val files = new MemoryFiles
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      commit(engine, commit(engine, StateVersion.Empty, "a" -> "1"), "b" -> "2")
      if (maintained) assert(engine.maintained().snapshot.contains(two))
    }
    files
  }

  for {
    maintained <- Seq(false, true)
    (written, read) <- Seq(
      (checked, plain),
      (plain, checked),
      (checked, checked.copy(rowLayout = RowLayout(Vector("x=1"))))
    )
  } test(s"rows of ${written.rowLayout} are refused to who reads ${read.rowLayout}, with a snapshot: $maintained") {
    val files = stored(written, maintained)
    Using.resource(new EngineUnderTest(files, read)) { engine =>
      val refused = intercept[Unsupported](engine.begin(two))
      assert(refused.file.exists(_.endsWith(if (maintained) "2.snapshot" else "1.delta")))
      (written.rowLayout.confs ++ read.rowLayout.confs).foreach(conf => assert(refused.problem.contains(conf)))
    }
    Using.resource(new EngineUnderTest(files, written))(engine =>
      assert(rowsAt(engine, two) == Vector("a" -> "1", "b" -> "2"))
    )
  }

  test("the change feed is refused alike") {
    val files = stored(checked, maintained = false)
    intercept[Unsupported](new ChangeFeed(files, RowLayout.Plain, 1, two).next())
    assert(new ChangeFeed(files, checked.rowLayout, 1, one).next())
  }
}

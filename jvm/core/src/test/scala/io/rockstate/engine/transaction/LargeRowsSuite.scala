package io.rockstate.engine.transaction

import scala.util.Using

import org.scalatest.Tag
import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.Unsupported
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Rows near what a delta's frame and a Java array bear. */
class LargeRowsSuite extends AnyFunSuite with ClosesHandles {
  private val large = new Array[Byte](500 << 20)
  private val last = new Array[Byte](30 << 20)

  private def appended(engine: EngineUnderTest, base: StateVersion, operand: Array[Byte]): StateVersion = {
    val transaction = engine.begin(base)
    try {
      transaction.merge(key("list"), operand)
      transaction.merge(key("other"), bytes("x"))
      transaction.commit()
    } finally if (!transaction.hasCommitted) transaction.abort()
  }

  // One on top of the other in memory, and applied to the database, where merges know no limit. RocksDB takes 20 s for such rows.
  Seq(
    ("in layers", 64L << 30, Seq.empty),
    ("in the database", EngineUnderTest.NoHeap, Seq(Tag("io.rockstate.Slow")))
  ).foreach { case (where, heap, tags) =>
    test(
      s"appends that make a row too large to be read, over several versions, are refused by the commit ($where)",
      tags: _*
    ) {
      Using.resource(new EngineUnderTest(new MemoryFiles, heapBytes = heap)) { engine =>
        val two = appended(engine, appended(engine, StateVersion.Empty, large), large)
        val refused = intercept[Unsupported](appended(engine, two, last))
        assert(refused.problem.contains((1030L << 20).toString))
        val after = engine.begin(two)
        assert(after.contains(key("list")) && after.row("other").contains("xx") && after.rowCount == 2)
        after.put(key("list"), bytes("short again"))
        val three = after.commit()
        val end = engine.begin(appended(engine, three, last))
        assert(end.get(key("list")).length == last.length + 11)
        end.abort()
      }
    }
  }
}

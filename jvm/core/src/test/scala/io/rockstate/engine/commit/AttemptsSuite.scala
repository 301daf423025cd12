package io.rockstate.engine.commit

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.StoredDelta
import io.rockstate.engine.api.EngineSettings
import io.rockstate.testkit.{
  Calls,
  ClosesHandles,
  EngineUnderTest,
  FaultyFiles,
  Gate,
  Hold,
  MemoryFiles,
  RecordingFiles,
  RemoteOperation,
  Rows
}
import io.rockstate.versions.StateVersion

import Rows._

/** Attempts of a version that share its name, as under checkpoint format 1: which of them the next batch sees. */
class AttemptsSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 2)

  test("a batch goes on from the attempt that storage holds, not from another one that is at hand") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val here = use(new EngineUnderTest(memory))
      val elsewhere = use(new EngineUnderTest(memory))
      val one = commit(here, StateVersion.Empty, Seq("a" -> "1"))
      val two = commit(here, one, Seq("a" -> "here"))
      commit(elsewhere, one, Seq("a" -> "elsewhere")) // the same version 2, durable last
      val three = commit(here, two, Seq("b" -> "3"))
      Seq(here, elsewhere, use(new EngineUnderTest(memory))).foreach { store =>
        val after = store.begin(three)
        assert(after.rows == Vector("a" -> "elsewhere", "b" -> "3"))
        after.abort()
      }
    }.get
  }

  test("a delta on top of another attempt's rows is refused, not mixed in") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val here = use(new EngineUnderTest(memory))
      val elsewhere = use(new EngineUnderTest(memory))
      val one = commit(here, StateVersion.Empty, Seq("a" -> "1"))
      val two = commit(here, one, Seq("a" -> "here"))
      val onTwo = here.begin(two)
      commit(elsewhere, one, Seq("a" -> "elsewhere")) // the same version 2, durable when the next batch runs already
      onTwo.putRow("b", "3")
      val three = onTwo.commit()
      val error = intercept[io.rockstate.errors.Conflict](use(new EngineUnderTest(memory)).begin(three))
      assert(error.getMessage.contains("3.delta") && error.getMessage.contains("checkpointFormatVersion"))
    }.get
  }

  test("clean-up never relies on snapshots of attempts that a query went back behind") {
    val promised = settings.copy(minVersionsToRetain = 5, minVersionsToDelete = 1, maxVersionsToDelete = -1)
    val files = new MemoryFiles
    Using.resource(new EngineUnderTest(files, promised)) { engine =>
      def run(first: Long, last: Long, value: String, maintained: Boolean): Unit = (first to last).foreach { version =>
        commit(engine, StateVersion(version - 1), Seq(s"row$version" -> value))
        if (maintained) engine.maintain()
      }
      run(1, 6, "before", maintained = true)
      assert(files.list("").map(_.name).count(_.endsWith(".snapshot")) >= 2)
      engine.restart()
      run(2, 12, "after", maintained = false)
      engine.maintain()
      engine.restart()
      (7L to 12L).foreach { version =>
        val rows = engine.begin(StateVersion(version))
        assert(rows.row("row6").contains("after") && rows.row("row1").contains("before"))
        rows.abort()
      }
    }
  }

  test("attempts that wrote the same rows in another order are the same version") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val here = use(new EngineUnderTest(memory))
      val elsewhere = use(new EngineUnderTest(memory))
      val one = commit(here, StateVersion.Empty, Seq("a" -> "1"))
      val two = commit(here, one, Seq("b" -> "2", "c" -> "2"))
      commit(elsewhere, one, Seq("c" -> "2", "b" -> "2"))
      val three = commit(here, two, Seq("d" -> "3"))
      val fresh = use(new EngineUnderTest(memory)).begin(three)
      assert(fresh.rows == Vector("a" -> "1", "b" -> "2", "c" -> "2", "d" -> "3"))
      fresh.abort()
    }.get
  }

  test("a snapshot of an attempt with the same rows and other column families is of another history") {
    val memory = new MemoryFiles
    def families(version: StateVersion): Vector[String] = Using.resource(new EngineUnderTest(memory)) { engine =>
      val transaction = engine.begin(version)
      try transaction.columnFamilies.map(_.name)
      finally transaction.abort()
    }
    Using.resource(new EngineUnderTest(memory)) { engine =>
      val first = engine.beginEmpty(StateVersion.Empty)
      first.createColumnFamily("red", isInternal = false)
      first.commit()
    }
    assert(memory.names.contains("1.snapshot"))
    Using.resource(new EngineUnderTest(memory)) { engine =>
      val one = commit(engine, StateVersion.Empty, Nil)
      assert(families(one) == Vector("default"))
      val two = commit(engine, one, Seq("a" -> "2"))
      assert(families(two) == Vector("default"))
      assert(Using.resource(new EngineUnderTest(memory))(rowsAt(_, two)) == Vector("a" -> "2"))
    }
  }

  test("an attempt that finds its very changes committed leaves that delta in place and goes on from it") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val here = use(new EngineUnderTest(memory))
      val elsewhere = use(new EngineUnderTest(memory))
      val one = commit(here, StateVersion.Empty, Seq("a" -> "1"))
      val two = commit(here, one, Seq("b" -> "2"))
      val delta = memory.bytes("2.delta")
      commit(elsewhere, one, Seq("b" -> "2"))
      assert(memory.bytes("2.delta").sameElements(delta))
      val three = commit(elsewhere, two, Seq("c" -> "3"))
      assert(
        StoredDelta.header(memory, "3.delta").baseCommitId == StoredDelta.header(memory, "2.delta").commitId
      )
      val after = use(new EngineUnderTest(memory)).begin(three)
      assert(after.rows == Vector("a" -> "1", "b" -> "2", "c" -> "3"))
      after.abort()
    }.get
  }

  test("twins that write the same on one executor leave the database at hand") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files)) { engine =>
      val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      val twins = Seq.fill(2)(engine.begin(one))
      twins.foreach(_.putRow("b", "2"))
      val two = twins.map(_.commit()).last
      files.take()
      val after = engine.begin(two)
      assert(after.rows == Vector("a" -> "1", "b" -> "2"))
      after.abort()
      assert(files.take() == Vector("open 2.delta"), "the header is looked at, and nothing is recovered")
    }
  }

  test("an attempt replaces a delta of other rows, of another column family, or a damaged one") {
    def twoAfter(change: (MemoryFiles, EngineUnderTest) => Unit): (MemoryFiles, StateVersion) = {
      val memory = new MemoryFiles
      Using.resource(new EngineUnderTest(memory)) { engine =>
        val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
        commit(engine, one, Seq("b" -> "2"))
        change(memory, engine)
        (memory, commit(engine, one, Seq("b" -> "2")))
      }
    }
    val changes = Seq[(MemoryFiles, EngineUnderTest) => Unit](
      (_, engine) => { commit(engine, StateVersion(1), Seq("b" -> "other")); () },
      (_, engine) => {
        val transaction = engine.begin(StateVersion(1))
        transaction.createColumnFamily("other", isInternal = false)
        transaction.putRow("b", "2")
        transaction.commit()
        ()
      },
      (memory, _) => memory.put("2.delta", memory.bytes("2.delta").dropRight(1))
    )
    changes.foreach { change =>
      val (memory, two) = twoAfter(change)
      Using.resource(new EngineUnderTest(memory)) { fresh =>
        val after = fresh.begin(two)
        assert(after.rows == Vector("a" -> "1", "b" -> "2") && after.columnFamilies.size == 1)
        after.abort()
      }
    }
  }

  test("a transaction commits while another one's publish hangs, and what is in storage is what the next batch sees") {
    val memory = new MemoryFiles
    val gate = new Gate
    val hanging = new FaultyFiles(memory, Hold(Calls.of(RemoteOperation.Publish).onThread("zombie"), gate))
    Using.resource(new EngineUnderTest(hanging)) { engine =>
      val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      val zombie = engine.begin(one)
      zombie.putRow("a", "zombie")
      val rightful = engine.begin(one)
      rightful.putRow("a", "rightful")
      val thread = new Thread(() => { zombie.commit(); () }, "zombie")
      thread.start()
      gate.awaitArrival()
      val two = rightful.commit()
      val next = engine.begin(two)
      assert(next.row("a").contains("rightful"))
      next.abort()
      gate.open()
      thread.join(10000)
      val last = engine.begin(two)
      assert(last.row("a").contains("zombie")) // without checkpoint ids, what is durable last is the version
      last.abort()
    }
  }
}

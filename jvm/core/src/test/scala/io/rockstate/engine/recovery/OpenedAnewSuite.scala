package io.rockstate.engine.recovery

import java.nio.file.Files

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.db.NativeMemory
import io.rockstate.engine.api.EngineSettings
import io.rockstate.folders.Trees
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, RecordingFiles, Rows}
import io.rockstate.versions.StateVersion

import EngineUnderTest.{AllOfIt, Found, Nothing}
import Rows._

/** A database that has more rows than there is room for their filters: its files are opened once more, without those of the last level. */
class OpenedAnewSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(checkpointIds = true, minDeltasForSnapshot = 2)
  private val all = (1 to 300).map(i => f"row$i%03d" -> s"value $i")

  test("the next transaction opens it anew, once, and those that are under way go on") {
    withEngine() { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      assert(databases(engine) == Seq("db-1"))
      files.take()
      val first = engine.begin(one)
      assert(databases(engine) == Seq("db-2"))
      first.putRow("row001", "first")
      val second = engine.begin(one)
      val two = first.commit()
      assert(second.rows == all)
      second.putRow("row001", "second")
      val other = second.commit()
      assert(rowsAt(engine, two) == ("row001" -> "first") +: all.drop(1))
      assert(databases(engine) == Seq("db-2"))
      assert(files.take().map(_.split(" ").head).distinct == Vector("create", "publish"))
      assert(rowsAt(engine, other) == ("row001" -> "second") +: all.drop(1))
    }
  }

  test("a transaction that began before goes on with the database that it began on") {
    withEngine(room = 400) { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all.take(150))
      val late = engine.begin(one)
      val two = commit(engine, one, all.drop(150))
      val anew = engine.begin(two)
      assert(databases(engine) == Seq("db-1", "db-2"))
      assert(late.rows == all.take(150) && anew.rows == all)
      Seq(late, anew).foreach(_.abort())
      assert(databases(engine) == Seq("db-2") && rowsAt(engine, two) == all)
    }
  }

  test("the next snapshot goes on from the one before: it stores what is new") {
    withEngine() { (engine, _) =>
      val two = commit(engine, commit(engine, StateVersion.Empty, all), Seq("row001" -> "new"))
      engine.requestSnapshot()
      val stored = engine.maintained()
      val four = commit(engine, commit(engine, two, Seq("row002" -> "new")), Seq("row003" -> "new"))
      assert(databases(engine).size == 1 && databases(engine) != Seq("db-1"))
      engine.requestSnapshot()
      val next = engine.maintained()
      assert(stored.snapshot.exists(_.version == 2) && next.snapshot.exists(_.version == 4))
      assert(next.uploadedFiles <= 2, "table files that were in storage were stored again")
      engine.restart()
      assert(rowsAt(engine, four).take(4) == (1 to 3).map(i => f"row$i%03d" -> "new") :+ all(3))
    }
  }

  test("a warm restart goes on from it, and opens it as it was") {
    withEngine(AllOfIt) { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      val two = commit(engine, one, Seq("row001" -> "new"))
      engine.requestSnapshot()
      engine.maintain()
      engine.restart()
      files.take()
      val before = databases(engine)
      assert(rowsAt(engine, two) == ("row001" -> "new") +: all.drop(1))
      assert(files.take().isEmpty && databases(engine) == before)
    }
  }

  test("one that cannot be opened anew goes on") {
    withEngine() { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all)
      Files.createFile(engine.localFolder.resolve("db-2"))
      val two = commit(engine, one, Seq("row001" -> "new"))
      assert(rowsAt(engine, two) == ("row001" -> "new") +: all.drop(1))
      assert(databases(engine) == Seq("db-1"), "it was not tried")
    }
  }

  test("a task that is killed meanwhile leaves it to the next") {
    withEngine() { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all)
      Thread.currentThread.interrupt()
      intercept[InterruptedException](engine.begin(one))
      assert(databases(engine) == Seq("db-1"))
      assert(rowsAt(engine, one) == all && databases(engine) == Seq("db-3"))
    }
  }

  private def withEngine(found: Found = Nothing, room: Long = 17)(
      body: (EngineUnderTest, RecordingFiles) => Unit
  ): Unit = {
    val files = new RecordingFiles(new MemoryFiles)
    val native = NativeMemory.apart(room)
    Using.resource(new EngineUnderTest(files, settings, found = found, native = native))(body(_, files))
  }

  private def commit(engine: EngineUnderTest, base: StateVersion, rows: Seq[(String, String)]): StateVersion = {
    val transaction = engine.begin(base)
    rows.foreach { case (name, value) => transaction.putRow(name, value) }
    transaction.commit()
  }

  private def rowsAt(engine: EngineUnderTest, version: StateVersion): Seq[(String, String)] = {
    val transaction = engine.begin(version)
    try transaction.rows
    finally transaction.abort()
  }

  private def databases(engine: EngineUnderTest): Seq[String] =
    Trees.children(engine.localFolder).map(_.getFileName.toString).filter(_.startsWith("db-")).sorted
}

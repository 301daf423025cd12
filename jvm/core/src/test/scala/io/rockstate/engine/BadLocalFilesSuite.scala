package io.rockstate.engine

import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{Files, Path}
import java.nio.file.StandardOpenOption.WRITE

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteOutput
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, ForwardingFiles, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import EngineUnderTest.{AllOfIt, Found, Nothing, WhatACrashLeft}
import Rows._

/** Table files that went bad on the local disk, in a database that was left or in one of the engine's own: what comes next has none of them. */
class BadLocalFilesSuite extends AnyFunSuite with ClosesHandles {
  for ((place, found) <- Seq("that were left" -> AllOfIt, "of its own" -> Nothing))
    test(s"files $place that have gone bad on the disk fail one transaction; the next recovers the store from storage") {
      withEngine(found) { engine =>
        val rows = manyRows(1)
        val one = commit(engine, StateVersion.Empty, rows)
        engine.requestSnapshot()
        engine.maintained()
        if (found == AllOfIt) engine.restart()
        tablesOf(engine).foreach(spoil)
        intercept[Unavailable](rowsAt(engine, one))
        assert(rowsAt(engine, one) == rows)
        engine.restart()
        assert(rowsAt(engine, one) == rows)
      }
    }

  for ((place, isLeft) <- Seq("left by the run before" -> true, "of its own" -> false)) {
    test(s"after files $place failed a transaction, a restart at once begins with none of them") {
      withEngine(AllOfIt) { engine =>
        val (one, rows) = failed(engine, isLeft)
        engine.restart()
        assert(rowsAt(engine, one) == rows)
      }
    }

    test(s"after files $place failed a transaction, a version made from a snapshot has none of them") {
      withEngine(AllOfIt) { engine =>
        val (one, rows) = failed(engine, isLeft)
        assert(rowsOf(engine.beginFromSnapshot(one, one)) == rows)
      }
    }
  }

  test("files that were left, and that RocksDB cannot open any more, are fetched once more") {
    withEngine(AllOfIt) { engine =>
      val (one, rows) = stored(engine)
      engine.restart()
      tablesOf(engine).foreach(spoilEnd)
      val transaction = engine.begin(one)
      val recovery = transaction.metrics.recovery
      assert(recovery.tableFilesFetched > 0 && recovery.snapshotsSkipped == 0)
      assert(rowsOf(transaction) == rows)
    }
  }

  test("files of a store at work that RocksDB cannot open any more are in no version made from a snapshot") {
    withEngine(AllOfIt) { engine =>
      val (one, rows) = stored(engine)
      tablesOf(engine).foreach(spoilEnd)
      assert(rowsOf(engine.beginFromSnapshot(one, one)) == rows)
      engine.restart()
      assert(rowsAt(engine, one) == rows)
    }
  }

  for (part <- Seq("beginning", "end"))
    test(s"a database whose MANIFEST has gone bad at its $part becomes no snapshot; the next transaction recovers") {
      withEngine(AllOfIt) { engine =>
        val (one, rows) = stored(engine)
        val two = commit(engine, one, Seq("b" -> "2"))
        filesOf(engine)(_.startsWith("MANIFEST-")).foreach { file =>
          spoil(file, from = if (part == "end") Files.size(file) - 20 else 8, length = 10)
        }
        engine.requestSnapshot()
        assert(intercept[Unavailable](engine.maintained()).getMessage.contains("db-"))
        assert(rowsAt(engine, two).toSet == (rows :+ ("b" -> "2")).toSet)
        assert(engine.maintained().snapshot.contains(two), "the next maintenance does what this one could not")
        engine.restart()
        assert(rowsAt(engine, two).toSet == (rows :+ ("b" -> "2")).toSet)
      }
    }

  test("a process that ends after its database failed leaves nothing that the next goes on from") {
    withEngine(WhatACrashLeft) { engine =>
      val rows = manyRows(1)
      val one = commit(engine, StateVersion.Empty, rows)
      engine.requestSnapshot()
      engine.maintained()
      tablesOf(engine).foreach(spoil)
      intercept[Unavailable](rowsAt(engine, one))
      engine.restart()
      val fetched = engine.begin(one)
      assert(fetched.metrics.recovery.tableFilesFetched > 0, "the table files are fetched anew")
      fetched.abort()
      assert(rowsAt(engine, one) == rows)
    }
  }

  test("a file that has gone bad before it is stored becomes no snapshot; the next transaction recovers without it") {
    val stored = new MemoryFiles
    var onTable = () => ()
    val files = new ForwardingFiles(stored) {
      override def create(name: String): RemoteOutput = {
        if (name.endsWith(".sst")) onTable()
        super.create(name)
      }
    }
    Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = true), heapBytes = 0)) { engine =>
      val rows = manyRows(1)
      val one = commit(engine, StateVersion.Empty, rows)
      engine.requestSnapshot()
      onTable = () => tablesOf(engine).foreach(spoil)
      assert(intercept[Unavailable](engine.maintained()).getMessage.contains("db-"))
      assert(!stored.names.exists(name => name.endsWith(".snapshot") || name.endsWith(".sst")))
      onTable = () => ()
      assert(rowsAt(engine, one) == rows)
      assert(engine.maintained().snapshot.contains(one), "the next maintenance does what this one could not")
      engine.restart()
      assert(rowsAt(engine, one) == rows)
    }
  }

  /** A version whose table files, which storage has too, went bad on the disk: a transaction has failed on them. */
  private def failed(engine: EngineUnderTest, isLeft: Boolean): (StateVersion, Seq[(String, String)]) = {
    val (one, rows) = stored(engine)
    if (isLeft) engine.restart()
    tablesOf(engine).foreach(spoil)
    intercept[Unavailable](rowsAt(engine, one))
    (one, rows)
  }

  /** A version that storage has a snapshot of. */
  private def stored(engine: EngineUnderTest): (StateVersion, Seq[(String, String)]) = {
    val rows = manyRows(1)
    val one = commit(engine, StateVersion.Empty, rows)
    engine.requestSnapshot()
    engine.maintained()
    (one, rows)
  }

  private def rowsOf(transaction: Transaction): Seq[(String, String)] =
    try transaction.rows
    finally transaction.abort()

  private def withEngine(found: Found)(test: EngineUnderTest => Unit): Unit = {
    val settings = EngineSettings(checkpointIds = true, minDeltasForSnapshot = 2)
    Using.resource(new EngineUnderTest(new MemoryFiles, settings, heapBytes = 0, found))(test)
  }

  private def tablesOf(engine: EngineUnderTest): Vector[Path] = filesOf(engine)(_.endsWith(".sst"))

  private def filesOf(engine: EngineUnderTest)(isWanted: String => Boolean): Vector[Path] = Using.resource(
    Files.walk(engine.localFolder)
  )(_.iterator.asScala.filter(file => isWanted(file.getFileName.toString)).toVector)

  /** Alters what is not its end: RocksDB opens it all the same. */
  private def spoil(file: Path): Unit = spoil(file, from = 500, length = 20000)

  private def spoilEnd(file: Path): Unit = spoil(file, Files.size(file) - 4096, 4096)

  private def spoil(file: Path, from: Long, length: Int): Unit = Using.resource(FileChannel.open(file, WRITE)) {
    channel =>
      channel.write(ByteBuffer.wrap(Array.fill[Byte](length)(7)), from)
      ()
  }

  private def manyRows(version: Int): Seq[(String, String)] = {
    val random = new scala.util.Random(version)
    (1 to 3000).map(i => f"many$i%05d" -> random.alphanumeric.take(40).mkString)
  }
}

package io.rockstate.engine

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, RecordingFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** What the engine does to storage, call by call, and that others find there what it wrote. */
class StorageCallsSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 2)

  private def manyRows(version: Int): Iterable[(String, String)] = (1 to 200).map(i => s"row$i" -> s"$version/$i")

  test("a batch makes one file in two calls and lists nothing") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = true))) { engine =>
      val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      files.take()
      val two = commit(engine, one, Seq("b" -> "2"))
      assert(files.take().map(_.takeWhile(_ != '(').trim) == Vector(s"create $two.delta", s"publish $two.delta"))
    }
  }

  test(
    "without checkpoint ids a batch first looks whether another attempt has replaced the version that it goes on from"
  ) {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files)) { engine =>
      val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      files.take()
      commit(engine, one, Seq("b" -> "2"))
      val calls = files.take().map(_.takeWhile(_ != '(').trim)
      assert(calls == Vector("open 1.delta", "create 2.delta", "publish 2.delta"))
    }
  }

  test(
    "a batch that is run again where it was committed reads nothing of storage, nor does the next one, whichever run that goes on from"
  ) {
    for (goesOnFrom <- 0 to 2) {
      val files = new RecordingFiles(new MemoryFiles)
      Using.resource(new EngineUnderTest(files, EngineSettings(checkpointIds = true))) { engine =>
        var base = commit(engine, commit(engine, StateVersion.Empty, manyRows(1)), Seq("row1" -> "before"))
        def run(value: String, wanted: String): StateVersion = {
          val transaction = engine.begin(base)
          assert(transaction.row("row1").contains(wanted) && transaction.rows.size == 200)
          transaction.putRow("row1", value)
          val made = transaction.commit()
          assert(transaction.metrics.rowMisses == 0 || base.version <= 3, "once it is known to happen")
          made
        }
        for (batch <- 3 to 8) {
          files.take()
          val wanted = if (batch == 3) "before" else s"${batch - 1}/$goesOnFrom"
          val made = (0 to 2).map(n => run(s"$batch/$n", wanted))
          if (batch > 4) assert(files.take().map(_.takeWhile(_ != ' ')).distinct == Vector("create", "publish"))
          base = made(goesOnFrom)
        }
      }
    }
  }

  test("reading, aborting and failing to find a version write nothing") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files)) { engine =>
      val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      files.take()
      val transaction = engine.begin(one)
      assert(files.take() == Vector("open 1.delta"))
      transaction.row("a")
      transaction.putRow("b", "2")
      transaction.abort()
      engine.begin(one).abort()
      assert(files.take() == Vector("open 1.delta"))
    }
  }

  test("a large batch streams its frames out before the commit, and an abort takes them back") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files)) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      (1 to 20000).foreach(i => transaction.putRow(s"row$i", "x" * 40))
      assert(files.take() == Vector("create 1.delta"))
      transaction.abort()
      assert(files.take() == Vector("cancel 1.delta"))
    }
  }

  test("a store goes on, and stays readable, when its query is switched to checkpoint ids") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val plain = use(new EngineUnderTest(memory, settings))
      val two = commit(plain, commit(plain, StateVersion.Empty, manyRows(1)), Seq("row1" -> "2"))
      val withIds = settings.copy(checkpointIds = true)
      val switched = use(new EngineUnderTest(memory, withIds))
      val four = commit(switched, commit(switched, two, Seq("row2" -> "3")), Seq("row3" -> "4"))
      assert(four.checkpointId.isDefined)
      val fresh = use(new EngineUnderTest(memory, withIds)).begin(four)
      assert(Seq("row1", "row2", "row3", "row4").map(fresh.row(_).get) == Seq("2", "3", "4", "1/4"))
      fresh.abort()
    }.get
  }

  test("the content digest is the one that the file format specifies") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory)) { engine =>
      val one = commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      val transaction = engine.begin(one)
      transaction.putRow("b", "overwritten")
      transaction.removeRow("a")
      transaction.putRow("b", "2")
      transaction.commit()
    }
    val hash = net.jpountz.xxhash.XXHashFactory.safeInstance().hash64()
    def xxh64(record: Byte*): Long = hash.hash(record.toArray, 0, record.size, 0L)
    val first = xxh64(1, 3, 0, 0, 'a', 1, '1')
    val second = java.lang.Long.rotateLeft(first, 31) * 0x9e3779b97f4a7c15L + xxh64(0, 3, 0, 0, 'a') + xxh64(1, 3, 0, 0,
      'b', 1, '2')
    assert(Seq("1.delta", "2.delta").map(StoredDelta.contentDigest(memory, _)) == Seq(first, second))
  }

  test("a batch of more bytes than one write batch takes is applied whole") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory, EngineSettings(minDeltasForSnapshot = 1))) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      val value = Array.fill(1 << 20)('v'.toByte)
      (1 to 70).foreach(i => transaction.put(key(f"row$i%03d"), value))
      val one = transaction.commit()
      assert(engine.maintained().snapshot.contains(one))
      memory.delete("1.delta") // what counts is in the snapshot
      engine.restart()
      val after = engine.begin(one)
      assert(after.rowCount == 70 && (1 to 70).forall(i => after.get(key(f"row$i%03d")).length == value.length))
      after.abort()
    }
  }

  test("after a restart scans bring the rows back into memory, where they fit") {
    Seq(EngineUnderTest.AmpleHeap -> true, EngineUnderTest.TinyHeap -> false).foreach { case (heap, fits) =>
      Using.resource(new EngineUnderTest(new MemoryFiles, heapBytes = heap)) { engine =>
        val two = commit(engine, commit(engine, StateVersion.Empty, manyRows(1)), manyRows(2).take(50))
        engine.restart()
        val reading = engine.begin(two)
        val expected = (manyRows(1).toMap ++ manyRows(2).take(50)).toVector.sorted
        assert((1 to 5).forall(_ => reading.rows == expected))
        assert((1 to 200).forall(i => reading.row(s"row$i").isDefined) && reading.row("row201").isEmpty)
        reading.abort()
        assert((reading.metrics.rowMisses == 0) == fits)
      }
    }
  }
}

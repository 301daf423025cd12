package io.rockstate.engine

import scala.util.Using

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.RemoteFiles
import io.rockstate.format.delta.{
  DeltaFooter,
  DeltaHeader,
  DeltaReader,
  DeltaWriter,
  FamilyRows,
  OperationCounts,
  SameTable
}
import io.rockstate.format.wire.{Codec, WriteBatchRecords}
import io.rockstate.testkit.{EngineUnderTest, MemoryFiles, RecordingFiles, Rows}
import io.rockstate.versions.{ColumnFamily, StateVersion}

import org.scalatest.funsuite.AnyFunSuite

import Rows._

/** What the engine does to storage, call by call, and how it behaves when storage is slow. */
class StorageCallsSuite extends AnyFunSuite {
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

  test("a snapshot uploads table files first, its manifest last, and known table files only once") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val two = commit(engine, commit(engine, StateVersion.Empty, manyRows(1)), manyRows(2))
      files.take()
      assert(engine.maintained().snapshot.contains(two))
      val first = files.take().map(_.takeWhile(_ != '(').trim)
      assert(first == Vector("create sst/#1.sst", "publish sst/#1.sst", "create 2.snapshot", "publish 2.snapshot"))
      val four = commit(engine, commit(engine, two, Seq("new" -> "3")), manyRows(4).take(60))
      files.take()
      assert(engine.maintained().snapshot.contains(four))
      val second = files.take().map(_.takeWhile(_ != '(').trim)
      assert(
        second.last == "publish 4.snapshot" && second.contains("list sst") && !second.contains("create sst/#1.sst")
      )
    }
  }

  test("maintenance that is not due touches nothing") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      commit(engine, StateVersion.Empty, Seq("a" -> "1"))
      files.take()
      assert(engine.maintained().snapshot.isEmpty)
      assert(files.take().isEmpty)
    }
  }

  test("recovery reads one snapshot and the deltas after it, and reuses table files that are on the local disk") {
    val files = new RecordingFiles(new MemoryFiles)
    Using.resource(new EngineUnderTest(files, settings)) { engine =>
      val two = commit(engine, commit(engine, StateVersion.Empty, manyRows(1)), manyRows(2))
      engine.maintain()
      val three = commit(engine, two, Seq("row1" -> "3"))
      engine.restart()
      files.take()
      val recovered = engine.begin(three)
      val work = recovered.metrics.recovery
      assert(
        work.snapshotVersion == 2 && work.deltasReplayed == 1 && work.tableFilesFetched == 1 && work.tableFilesReused == 0
      )
      assert(recovered.row("row1").contains("3") && recovered.row("row2").contains("2/2"))
      recovered.abort()
      assert(files.take().count(_.startsWith("list")) == 1)
      val earlier = engine.begin(two)
      assert(earlier.metrics.recovery.tableFilesReused == 1 && earlier.metrics.recovery.tableFilesFetched == 0)
      assert(earlier.row("row1").contains("2/1"))
      earlier.abort()
      assert(engine.begin(three).metrics.recovery.nanos == 0) // looking back has not displaced the newer version
    }
  }

  test("a store that fell behind is brought forward by the deltas it lacks") {
    val memory = new MemoryFiles
    Using.Manager { use =>
      val here = use(new EngineUnderTest(memory))
      val elsewhere = use(new EngineUnderTest(memory))
      val one = commit(here, StateVersion.Empty, manyRows(1))
      val three = commit(elsewhere, commit(elsewhere, one, Seq("row1" -> "2")), Seq("row2" -> "3"))
      val transaction = here.begin(three)
      assert(transaction.metrics.recovery.deltasReplayed == 2 && transaction.metrics.recovery.snapshotVersion == 0)
      assert(
        transaction.row("row1").contains("2") && transaction.row("row2").contains("3") && transaction
          .row("row3")
          .contains("1/3")
      )
      transaction.abort()
    }.get
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
    assert(Seq("1.delta", "2.delta").map(digestIn(memory, _)) == Seq(first, second))
  }

  private def commitIdIn(files: RemoteFiles, name: String): String =
    Using.resource(new DeltaReader(name, files.open(name)))(_.header.commitId)

  private def digestIn(files: RemoteFiles, name: String): Long =
    Using.resource(new DeltaReader(name, files.open(name)))(_.readToEnd().contentDigest)

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

  test("a delta that deletes a range is replayed between others") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory)) { engine =>
      commit(engine, StateVersion.Empty, manyRows(1))
      val records = new Array[Byte](200)
      val afterPut = WriteBatchRecords.writePut(records, 0, key("row5"), bytes("new"))
      val afterRange = WriteBatchRecords.writePut(records, afterPut, key("row1"), key("row2"))
      records(afterPut) = WriteBatchRecords.DeleteRange
      val length = WriteBatchRecords.writePut(records, afterRange, key("row150"), bytes("back"))
      val base = commitIdIn(memory, "1.delta")
      Using.resource(memory.create("2.delta")) { output =>
        val header = DeltaHeader(2, "by hand", base, digestIn(memory, "1.delta"), Vector.empty)
        val writer = new DeltaWriter(output, header, Codec.Lz4)
        writer.writeFrame(records, 0, length, 3)
        val table = SameTable(Vector(FamilyRows(ColumnFamily.DefaultId, 90)))
        writer.finish(DeltaFooter(table, OperationCounts(2, 0, 0, rangeDeletes = 1), contentDigest = 77))
        output.publish()
      }
      engine.restart()
      val three = commit(engine, StateVersion(2), Seq("row2" -> "later"))
      def expected = manyRows(1).toMap.filterNot(_._1.startsWith("row1")) ++
        Map("row5" -> "new", "row150" -> "back", "row2" -> "later")
      Seq(true, false).foreach { isAtHand =>
        if (!isAtHand) engine.restart()
        val after = engine.begin(three)
        assert(after.rows.toMap == expected && after.rowCount == 90 && expected.size == 90)
        assert(after.row("row11").isEmpty && after.row("row150").contains("back"))
        after.abort()
      }
    }
  }

  test("commits go on while snapshots are taken, and every snapshot holds exactly one version") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory, EngineSettings(minDeltasForSnapshot = 1))) { engine =>
      @volatile var running = true
      val maintenance = new Thread(() => while (running) engine.maintain())
      maintenance.start()
      (1 to 150).foldLeft(StateVersion.Empty)((base, i) => commit(engine, base, manyRows(i)))
      running = false
      maintenance.join()
    }
    val snapshots = memory.names.filter(_.endsWith(".snapshot")).map(_.takeWhile(_.isDigit).toInt)
    assert(snapshots.size > 3)
    Using.resource(new EngineUnderTest(memory)) { fresh =>
      snapshots.foreach { version =>
        val transaction = fresh.begin(StateVersion(version.toLong))
        assert(transaction.rows.toMap == manyRows(version).toMap)
        transaction.abort()
      }
    }
  }
}

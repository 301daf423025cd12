package io.rockstate.engine.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.{HandMade, StoredDelta}
import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.{CorruptFile, NotFound}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, FamilyRows, OperationCounts, SameTable}
import io.rockstate.format.wire.{Codec, WriteBatchRecords}
import io.rockstate.testkit.{ClosesHandles, Damage, EngineUnderTest, MemoryFiles, RecordingFiles, Rows}
import io.rockstate.versions.{ColumnFamily, StateVersion}

import Rows._

/** What a recovery reads: a snapshot, and the deltas after it. */
class ReplayedStoreSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(minDeltasForSnapshot = 2)

  private def manyRows(version: Int): Iterable[(String, String)] = (1 to 200).map(i => s"row$i" -> s"$version/$i")

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
      val newer = engine.begin(three)
      assert(newer.metrics.recovery.nanos == 0) // looking back has not displaced it
      newer.abort()
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

  test("a delta that deletes a range is replayed between others") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory)) { engine =>
      commit(engine, StateVersion.Empty, manyRows(1))
      val records = new Array[Byte](200)
      val afterPut = WriteBatchRecords.writePut(records, 0, key("row5"), bytes("new"))
      val afterRange = WriteBatchRecords.writePut(records, afterPut, key("row1"), key("row2"))
      records(afterPut) = WriteBatchRecords.DeleteRange
      val length = WriteBatchRecords.writePut(records, afterRange, key("row150"), bytes("back"))
      val base = StoredDelta.header(memory, "1.delta")
      val header = DeltaHeader(2, "by hand", base.commitId, StoredDelta.contentDigest(memory, "1.delta"), Vector.empty)
      HandMade.delta(memory, StateVersion(2), header, Codec.Lz4) { writer =>
        writer.writeFrame(records, 0, length, 3)
        val table = SameTable(Vector(FamilyRows(ColumnFamily.DefaultId, 90)))
        DeltaFooter(table, OperationCounts(2, 0, 0, rangeDeletes = 1), contentDigest = 77)
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

  test("a version can be loaded from the snapshot that is named, and from no other") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(memory, settings)) { engine =>
      val two = commit(engine, commit(engine, StateVersion.Empty, manyRows(1)), manyRows(2))
      engine.maintain()
      val four = commit(engine, commit(engine, two, Seq("row1" -> "3")), Seq("row2" -> "4"))
      engine.requestSnapshot()
      assert(engine.maintained().snapshot.contains(four))
      val loaded = engine.beginFromSnapshot(two, four)
      assert(loaded.metrics.recovery.snapshotVersion == 2 && loaded.metrics.recovery.deltasReplayed == 2)
      assert(loaded.rows.toMap == manyRows(2).toMap ++ Map("row1" -> "3", "row2" -> "4"))
      loaded.abort()
      assertThrows[NotFound](engine.beginFromSnapshot(StateVersion(3), four))
      Damage.AlteredInTheMiddle.inflict(memory, "2.snapshot")
      assertThrows[CorruptFile](engine.beginFromSnapshot(two, four))
    }
  }
}

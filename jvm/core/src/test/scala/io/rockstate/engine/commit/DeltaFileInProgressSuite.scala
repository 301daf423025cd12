package io.rockstate.engine.commit

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.StoredDelta
import io.rockstate.engine.loaded.DeltaSize
import io.rockstate.errors.{NotFound, StateStoreException, Unavailable}
import io.rockstate.files.RemoteFiles
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, FamilyRows, OperationCounts, SameTable}
import io.rockstate.format.wire.{Codec, WriteBatchRecords}
import io.rockstate.testkit.{Calls, Damage, FailAfter, FailBefore, FaultyFiles, Lose, MemoryFiles, RecordingFiles}
import io.rockstate.testkit.RemoteOperation._
import io.rockstate.testkit.Rows.{bytes, key}
import io.rockstate.versions.{ColumnFamily, RowLayout, StateVersion}

/** What publishing a delta does to the name that attempts of a version share. */
class DeltaFileInProgressSuite extends AnyFunSuite {
  private val footer =
    DeltaFooter(SameTable(Vector(FamilyRows(ColumnFamily.DefaultId, 1))), OperationCounts(1, 0, 0, 0), 5)

  /** An attempt at version 2 with one row, finished. */
  private def attempt(
      files: RemoteFiles,
      commitId: String,
      baseDigest: Long = 1,
      footer: DeltaFooter = footer,
      rowLayout: RowLayout = RowLayout.Plain
  ): DeltaFileInProgress = {
    val header = DeltaHeader(2, commitId, "base", baseDigest, Vector.empty, rowLayout)
    val delta = new DeltaFileInProgress(files, StateVersion(2), header, Codec.Uncompressed)
    val record = new Array[Byte](WriteBatchRecords.pairSize(key("a").length, 1))
    WriteBatchRecords.writePut(record, 0, key("a"), bytes("1"))
    delta.frame(record, record.length, 1)
    delta.finish(footer)
    delta
  }

  private def commitIn(files: MemoryFiles): String = StoredDelta.header(files, "2.delta").commitId

  private def withFirst(): MemoryFiles = {
    val memory = new MemoryFiles
    assert(attempt(memory, "first").publish() == "first")
    memory
  }

  test("storage is not touched before the first frame, and shows nothing before the delta is published") {
    val memory = new MemoryFiles
    val recording = new RecordingFiles(memory)
    val header = DeltaHeader(2, "first", "base", 1, Vector.empty)
    val untouched = new DeltaFileInProgress(recording, StateVersion(2), header, Codec.Lz4)
    untouched.cancel()
    assert(recording.transcript.isEmpty && untouched.bytesWritten == 0)
    val delta = attempt(recording, "first")
    assert(recording.take() == Vector("create 2.delta") && memory.names.isEmpty && delta.bytesWritten > 0)
    assert(delta.publish() == "first" && commitIn(memory) == "first")
    assert(memory.bytes("2.delta").length == delta.bytesWritten && delta.size == DeltaSize(delta.bytesWritten, 1))
    delta.cancel()
    assert(memory.names == Vector("2.delta"))
  }

  test("a cancelled delta leaves nothing") {
    val memory = new MemoryFiles
    attempt(memory, "first").cancel()
    assert(memory.names.isEmpty)
  }

  test("a header that cannot be written leaves no output open") {
    val recording = new RecordingFiles(new MemoryFiles)
    assertThrows[Unavailable](attempt(new FaultyFiles(recording, FailBefore(Calls.of(Write).nth(1))), "first"))
    assert(recording.transcript == Vector("create 2.delta", "cancel 2.delta"))
  }

  test("a delta of the same rows on the same base stays, and stands for this one") {
    val memory = withFirst()
    assert(attempt(memory, "second").publish() == "first" && commitIn(memory) == "first")
  }

  test("a delta of other rows, on another base, with other families, or of another layout is replaced") {
    val counted = footer.copy(table = SameTable(Vector(FamilyRows(ColumnFamily.DefaultId, 2))))
    Seq[RemoteFiles => DeltaFileInProgress](
      attempt(_, "second", footer = footer.copy(contentDigest = 6)),
      attempt(_, "second", baseDigest = 2),
      attempt(_, "second", footer = counted),
      attempt(_, "second", rowLayout = RowLayout(Vector("checksum")))
    ).foreach { other =>
      val memory = withFirst()
      assert(other(memory).publish() == "second" && commitIn(memory) == "second")
    }
  }

  (Damage.all.filter(_ != Damage.Deleted) :+ Damage.Altered(30)).foreach { damage =>
    test(s"a delta that is $damage is replaced") {
      val memory = withFirst()
      damage.inflict(memory, "2.delta")
      assert(attempt(memory, "second").publish() == "second" && commitIn(memory) == "second")
    }
  }

  test("one that is gone again when it is looked at is replaced too") {
    val memory = withFirst()
    val losing = new FaultyFiles(memory, Lose(Calls.of(Open)))
    assert(attempt(losing, "second", baseDigest = 2).publish() == "second" && commitIn(memory) == "second")
  }

  test("a publish that fails after its effect has succeeded") {
    val memory = new MemoryFiles
    assert(attempt(new FaultyFiles(memory, FailAfter(Calls.of(Publish))), "first").publish() == "first")
    assert(commitIn(memory) == "first")
  }

  test("a publish that fails before its effect fails as it did, whatever another attempt has there") {
    val failing = FailBefore(Calls.of(Publish))
    Seq(new MemoryFiles, withFirst()).foreach { memory =>
      val before = memory.names
      val error = intercept[Unavailable](attempt(new FaultyFiles(memory, failing), "second").publish())
      assert(error.getMessage.contains(failing.toString) && memory.names == before)
    }
    val gone = Lose(Calls.of(Publish))
    assertThrows[NotFound](attempt(new FaultyFiles(new MemoryFiles, gone), "second").publish())
  }

  test("if what lies there cannot be told after a failed publish, the outcome is unknown, and says which version's") {
    val faults = Seq(FailAfter(Calls.of(Publish)), FailBefore(Calls.of(Open)))
    val error = intercept[StateStoreException](attempt(new FaultyFiles(new MemoryFiles, faults: _*), "first").publish())
    assert(error.isInstanceOf[Unavailable] && error.problem.contains("unknown") && error.version.contains(2L))
    assert(error.file.exists(_.endsWith("2.delta")))
  }
}

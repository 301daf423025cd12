package io.rockstate.format

import java.nio.charset.StandardCharsets.UTF_8

import io.rockstate.format.delta.{
  DeltaContent,
  DeltaFooter,
  DeltaHeader,
  FamilyRows,
  NewTable,
  OperationCounts,
  SameTable
}
import io.rockstate.format.snapshot.{InlineFile, SnapshotManifest, TableFile}
import io.rockstate.format.wire.WriteBatchRecords._
import io.rockstate.format.wire.WriteBatchRecordsSuite.{encode, Record}
import io.rockstate.versions.{ColumnFamily, LineageEntry, RowLayout}

/** The files that the golden bytes stand for. Changing anything here means new golden files under a new name. */
object SampleFiles {
  val CommitId = "6f1c0e5e-8f0f-4c60-9d0a-0d6f5b8f2a11"
  val DeltaName = s"17_$CommitId.delta"
  val SnapshotName = s"17_$CommitId.snapshot"

  private val table = Vector(
    ColumnFamily(0, "default", isInternal = false, rows = 3),
    ColumnFamily(1, "$ttl_größe", isInternal = true, rows = Long.MaxValue)
  )

  private val header = DeltaHeader(
    version = 17,
    commitId = CommitId,
    baseCommitId = "base-16",
    baseContentDigest = 0x0123456789abcdefL,
    lineage = Vector(LineageEntry(15, "commit-15"), LineageEntry(16, "base-16"))
  )

  private def ascii(text: String): Vector[Byte] = text.getBytes(UTF_8).toVector

  // Three frames: one that every codec makes smaller, one that none does, and one with the other tags.
  private val repetitive = (1 to 3).map(i => Record(Put, ascii(s"key-$i"), ascii("value " * 20)))
  private val random = Seq(Record(Put, ascii("noise"), noise(40)))
  private val others = Seq(
    Record(Delete, ascii("key-2"), Vector.empty),
    Record(Merge, ascii("list"), ascii("operand")),
    Record(DeleteRange, ascii("a"), ascii("b"))
  )

  /** A delta that changes the column-family table. */
  val delta: DeltaContent = DeltaContent(
    header,
    Vector(repetitive, random, others).map(records => (encode(records).toVector, records.size)),
    DeltaFooter(
      NewTable(table),
      OperationCounts(puts = 4, removes = 1, merges = 1, rangeDeletes = 1),
      contentDigest = -2
    )
  )

  /** A delta of an empty batch on the empty store: no frame, no lineage, the table as it was. */
  val emptyDelta: DeltaContent = DeltaContent(
    DeltaHeader(1, "first", "", 0, Vector.empty),
    Vector.empty,
    DeltaFooter(SameTable(Vector(FamilyRows(0, 0))), OperationCounts(0, 0, 0, 0), contentDigest = 0)
  )

  val manifest: SnapshotManifest = SnapshotManifest(
    version = 17,
    commitId = CommitId,
    contentDigest = -2,
    columnFamilies = table,
    inlineFiles = Vector(
      InlineFile("CURRENT", "MANIFEST-000005\n".getBytes(UTF_8)),
      InlineFile("MANIFEST-000005", noise(30).toArray)
    ),
    tableFiles = Vector(
      TableFile("sst/5d2c9a6e-5a1b-4a7e-8f5e-9e8b7c6d5e4f.sst", "000012.sst", 4096, 0xcafebabe),
      TableFile("sst/0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0.sst", "000013.sst", 0, 0)
    )
  )

  private val layout = RowLayout(Vector("spark.sql.streaming.stateStore.rowChecksum.enabled=true", "another=ä"))

  /** The same with rows that are not plain. */
  val deltaWithLayout: DeltaContent = delta.copy(header = header.copy(rowLayout = layout))
  val manifestWithLayout: SnapshotManifest = manifest.copy(rowLayout = layout)

  /** Bytes without a pattern, the same on every machine: the top byte of a 64-bit linear congruential sequence. */
  private def noise(size: Int): Vector[Byte] =
    Vector.iterate(42L, size)(_ * 6364136223846793005L + 1442695040888963407L).map(state => (state >>> 56).toByte)
}

package io.rockstate.format.snapshot

import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{CorruptFile, Misuse, Unsupported}
import io.rockstate.format.{FlippedBit, SampleFiles}
import io.rockstate.format.SampleFiles.{manifest, SnapshotName}
import io.rockstate.format.wire.{Codec, FileHeader, Section}
import io.rockstate.versions.ColumnFamily

class SnapshotManifestSuite extends AnyFunSuite {
  private val bytes = manifest.encode

  private def corrupt(bytes: Array[Byte], name: String = SnapshotName): CorruptFile = {
    val error = intercept[CorruptFile](SnapshotManifest.decode(name, bytes))
    assert(error.file.contains(name) && error.version.nonEmpty && error.remedy.contains("older snapshot"))
    error
  }

  /** The manifest's bytes with one text changed for another of the same length, and the checksum made right again. */
  private def forged(from: String, to: String): Array[Byte] = {
    require(from.length == to.length)
    val start = FileHeader.Bytes + Section.HeaderBytes
    val body = new String(bytes.drop(start), "ISO-8859-1").replace(from, to).getBytes("ISO-8859-1")
    bytes.take(FileHeader.Bytes) ++ Section.encode(body)
  }

  test("a manifest comes back as it was") {
    assert(SnapshotManifest.decode(SnapshotName, bytes) == manifest)
    val empty = SnapshotManifest(1, "", 0, Vector.empty, Vector.empty, Vector.empty)
    assert(SnapshotManifest.decode("1.snapshot", empty.encode) == empty)
  }

  test("any one flipped bit makes the manifest corrupt") {
    for (bit <- 0 until bytes.length * 8)
      withClue(s"bit ${bit % 8} of byte ${bit / 8}: ")(corrupt(FlippedBit(bytes, bit)))
  }

  test("cut at any length, or with a byte more, the manifest is corrupt") {
    for (length <- bytes.indices) withClue(s"$length of ${bytes.length} bytes: ")(corrupt(bytes.take(length)))
    corrupt(bytes :+ 0.toByte)
  }

  test("a manifest under another version's or another attempt's name is corrupt") {
    corrupt(bytes, "18.snapshot")
    corrupt(bytes, "17_other.snapshot")
    assert(SnapshotManifest.decode("17.snapshot", bytes) == manifest)
    intercept[Misuse](SnapshotManifest.decode("17.delta", bytes))
  }

  test("a delta's bytes under a snapshot's name are corrupt") {
    corrupt(SampleFiles.delta.encode(Codec.Lz4))
  }

  test("names that lead out of the store's folder or RocksDB's are corrupt even with a right checksum") {
    val remote = manifest.tableFiles.head.remoteName
    val hostile = Seq(
      remote -> ("../" + remote.drop(3)),
      remote -> ("/" + remote.drop(1)),
      remote -> ("sst/../" + remote.drop(7)),
      remote -> ("s3://" + remote.drop(5)),
      remote -> ("sst\\" + remote.drop(4)),
      "000012.sst" -> "../012.sst",
      "000012.sst" -> "/00012.sst",
      "000012.sst" -> "000012.log",
      "000012.sst" -> "CURRENT...",
      "000012.sst" -> "000013.sst",
      "CURRENT" -> "../../x",
      "CURRENT" -> "LOCK..."
    )
    hostile.foreach { case (from, to) => withClue(to)(corrupt(forged(from, to))) }
    assert(corrupt(forged(remote, "../" + remote.drop(3))).problem.contains("in the store's folder"))
  }

  test("what a reader would refuse is not written either") {
    val table = manifest.tableFiles.head
    Seq(
      manifest.copy(tableFiles = Vector(table.copy(remoteName = "../x.sst"))),
      manifest.copy(tableFiles = Vector(table.copy(localName = "x/1.sst"))),
      manifest.copy(tableFiles = Vector(table, table)),
      manifest.copy(inlineFiles = Vector(InlineFile("../CURRENT", "x".getBytes(UTF_8))))
    ).foreach(broken => intercept[Misuse](broken.encode))
    intercept[Unsupported](
      manifest.copy(columnFamilies = Vector(ColumnFamily(65536, "x", isInternal = false, 0))).encode
    )
    intercept[Unsupported](manifest.copy(commitId = "x" * 65536).encode)
  }

  test("a column-family table with a family twice, an id that none has, or a negative row count is corrupt") {
    def body(families: ColumnFamily*): Array[Byte] = manifest.copy(columnFamilies = families.toVector).encode
    val family = ColumnFamily(1, "a", isInternal = false, rows = 1)
    corrupt(body(family, family.copy(id = 2)))
    corrupt(body(family, family.copy(name = "b")))
    corrupt(body(family.copy(rows = -1)))
    corrupt(body(family.copy(id = ColumnFamily.HighestId + 1)))
  }
}

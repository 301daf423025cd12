package io.rockstate.inspect

import java.util.zip.{CRC32C, CheckedInputStream}

import scala.util.Using

import io.rockstate.errors.{CorruptFile, StateStoreException}
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.{DeltaHeader, DeltaReader, OperationCounts}
import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}
import io.rockstate.format.wire.{RecordCursor, WriteBatchRecords}
import io.rockstate.versions.StateVersion

/** Reads whole files and says what they say; what is not as it was written is a `CorruptFile`. */
private[inspect] final class FileReader(files: RemoteFiles) {

  /** Reads every frame and every record in it. */
  def delta(name: StateVersion): DeltaFacts = {
    val file = FileNames.delta(name)
    Using.resource(new DeltaReader(file, files.open(file))) { reader =>
      val counts = Iterator
        .continually(reader.nextFrame())
        .takeWhile(_.isDefined)
        .flatten
        .map(frame => count(new RecordCursor(frame.bytes, 0, frame.bytes.length, file)))
        .foldLeft(OperationCounts(0, 0, 0, 0))(plus)
      if (counts != reader.footer.counts)
        throw new CorruptFile(
          s"Its records are $counts, its footer says ${reader.footer.counts}",
          "Restore the file from a backup.",
          file,
          Some(name.version)
        )
      DeltaFacts(name, reader.header, reader.footer)
    }
  }

  /** What the delta says of itself at its start. */
  def header(name: StateVersion): DeltaHeader = DeltaReader.headerOf(name, files)

  /** What a damaged delta still says of itself. */
  def commitIdOf(name: StateVersion): Option[String] =
    try Some(header(name).commitId)
    catch { case e: StateStoreException if StoreInspector.tellsOfFiles(e) => None }

  def snapshot(name: StateVersion): SnapshotFacts =
    SnapshotFacts(name, SnapshotManifest.read(files, FileNames.snapshot(name)))

  /** Reads a table file to its end and compares it with what a manifest says of it. */
  def table(expected: TableFile): Unit = {
    val crc = new CRC32C
    val length = Using.resource(files.openUnmeasured(expected.remoteName)) { input =>
      val buffer = new Array[Byte](FileReader.BufferBytes)
      val checked = new CheckedInputStream(input.stream, crc)
      Iterator.continually(checked.read(buffer)).takeWhile(_ >= 0).map(_.toLong).sum
    }
    if (length != expected.length || crc.getValue.toInt != expected.crc32c)
      throw new CorruptFile(
        s"It has $length bytes with CRC32C ${crc.getValue.toInt.toHexString}; its manifest says ${expected.length} with " +
          expected.crc32c.toHexString,
        "Restore the file from a backup; until then recovery uses another snapshot if there is one.",
        expected.remoteName
      )
  }

  private def count(records: RecordCursor): OperationCounts = {
    var (puts, removes, merges, rangeDeletes) = (0L, 0L, 0L, 0L)
    while (records.next()) records.tag match {
      case WriteBatchRecords.Put => puts += 1
      case WriteBatchRecords.Delete => removes += 1
      case WriteBatchRecords.Merge => merges += 1
      case _ => rangeDeletes += 1
    }
    OperationCounts(puts, removes, merges, rangeDeletes)
  }

  private def plus(a: OperationCounts, b: OperationCounts): OperationCounts =
    OperationCounts(a.puts + b.puts, a.removes + b.removes, a.merges + b.merges, a.rangeDeletes + b.rangeDeletes)
}

private object FileReader {
  val BufferBytes: Int = 128 << 10
}

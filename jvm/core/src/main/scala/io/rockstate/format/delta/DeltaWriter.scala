package io.rockstate.format.delta

import java.nio.ByteBuffer

import io.rockstate.errors.{Misuse, Unsupported}
import io.rockstate.files.RemoteOutput
import io.rockstate.format.wire.{Checksum, Codec, FieldWriter, FileHeader, FileKind, Section}
import io.rockstate.versions.Lineage

/** Writes one delta, header at once. It neither publishes nor cancels `out`: its owner does. For one thread at a time. */
final class DeltaWriter(out: RemoteOutput, header: DeltaHeader, codec: Codec) {
  import DeltaFile._

  private val tally = new DeltaTally
  private var written = 0L
  private var isFinished = false

  writeHeader()

  /** Bytes handed to the output so far. */
  def bytesWritten: Long = written

  /** Appends one frame of `recordCount` whole records, as `WriteBatchRecords` encodes them. */
  def writeFrame(bytes: Array[Byte], offset: Int, length: Int, recordCount: Int): Unit = {
    requireUnfinished()
    if (length <= 0 || recordCount <= 0)
      throw new Misuse(
        s"A frame of $length bytes and $recordCount records",
        "Write no frame where there are no records."
      )
    if (length > MaxFrameBytes)
      throw new Unsupported(
        s"A frame of $length bytes",
        s"A delta's frame, and so a row, has at most $MaxFrameBytes bytes."
      )

    val compressed = codec.compress(bytes, offset, length)
    val gained = compressed.length < length
    val stored = if (gained) compressed else bytes
    val storedOffset = if (gained) 0 else offset
    val storedLength = if (gained) compressed.length else length

    val checksum = Checksum.of(stored, storedOffset, storedLength, length, storedLength, recordCount)
    val head =
      ByteBuffer.allocate(FrameHeaderBytes).putInt(length).putInt(storedLength).putInt(recordCount).putInt(checksum)
    write(head.array)
    write(stored, storedOffset, storedLength)
    tally.addFrame(length, recordCount, checksum)
  }

  /** Writes the end mark and the footer. Nothing can be written afterwards; the output is not published. */
  def finish(footer: DeltaFooter): Unit = {
    requireUnfinished()
    val totals = tally.totals
    if (footer.counts.total != totals.records)
      throw new Misuse(
        s"The footer counts ${footer.counts.total} of ${totals.records} records",
        "Count every record in the frames."
      )
    isFinished = true
    write(EndMark)
    val fields = new FieldWriter
    DeltaSections.writeFooter(fields, footer, totals)
    write(Section.encode(fields.toArray))
  }

  private def writeHeader(): Unit = {
    val lineage = header.lineage
    if (!Lineage.isConsecutive(lineage) || lineage.lastOption.exists(_.version != header.version - 1))
      throw new Misuse(
        s"The lineage of version ${header.version} is ${lineage.map(_.version).mkString(", ")}",
        "Give the versions that lead to the base, oldest first, without gaps, and the base last.",
        Some(header.version)
      )
    val fields = new FieldWriter
    DeltaSections.writeHeader(fields, header, codec)
    val section = Section.encode(fields.toArray)
    write(FileHeader.encode(FileKind.Delta, FileHeader.versionFor(header.rowLayout)))
    write(section)
    tally.addHeader(Section.checksumIn(section))
  }

  private def requireUnfinished(): Unit =
    if (isFinished) throw new Misuse("The delta is finished", "Write frames before the footer.", Some(header.version))

  private def write(bytes: Array[Byte]): Unit = write(bytes, 0, bytes.length)

  private def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
    out.write(bytes, offset, length)
    written += length
  }
}

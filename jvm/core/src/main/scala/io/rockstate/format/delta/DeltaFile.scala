package io.rockstate.format.delta

import io.rockstate.format.wire.WriteBatchRecords
import io.rockstate.versions.{LineageEntry, RowLayout}

/** A delta: the changes that made one version of a store out of the one before it. All numbers are big-endian; text is UTF-8 behind
  * its length in bytes (u16).
  *
  * {{{
  * file      = file-header section(header) frame* end section(footer)      and nothing after it
  * section   = length i32, checksum i32, bytes[length]      checksum: CRC32C over length, then bytes
  * header    = version i64, commit id text, base commit id text, base content digest i64,
  *             lineage: count i32 then (version i64, commit id text)*, codec u8,
  *             from format version 2 on row layout: count i32 then (conf text)*
  * frame     = raw length i32 (> 0), stored length i32, records i32, checksum i32, bytes[stored length]
  *             checksum: CRC32C over the three lengths, then bytes
  * end       = 0 i32
  * footer    = table u8: 1 then column-family table | 0 then count i32 and (id u16, rows i64)*,
  *             puts i64, removes i64, merges i64, range deletes i64, content digest i64,
  *             frames i32, records i64, raw bytes i64, seal i32
  * seal      = CRC32C over the checksum (i32) of the header section and of every frame, in the file's order
  * }}}
  *
  * A frame's bytes, once decompressed, are the records of `WriteBatchRecords`. Where compression gains nothing the raw bytes are
  * stored, told by stored length = raw length. A file without a whole footer is torn. docs/file-format.md says the same for readers
  * in other languages.
  */
private[format] object DeltaFile {

  /** The largest frame, decompressed: it holds at least one whole record. */
  val MaxFrameBytes: Int = WriteBatchRecords.MaxRowBytes

  /** Bytes of a frame before its stored bytes. */
  val FrameHeaderBytes = 16

  /** Stands where the next frame's raw length would. */
  val EndMark: Array[Byte] = new Array[Byte](Integer.BYTES)

  val NewTable = 1
  val SameTable = 0
}

/** What a delta says about itself before its records.
  *
  * @param commitId          tells this commit from other attempts at the version; the checkpoint id if the file's name has one
  * @param baseCommitId      the commit id of the version before; empty if that is the empty store
  * @param baseContentDigest the content digest of the version before
  * @param lineage           the commits that led to the version before, oldest first and without gaps, that one last; as many as the
  *                          writer chose to name, and none without checkpoint ids
  * @param rowLayout         how the records' rows are laid out
  */
final case class DeltaHeader(
    version: Long,
    commitId: String,
    baseCommitId: String,
    baseContentDigest: Long,
    lineage: Vector[LineageEntry],
    rowLayout: RowLayout = RowLayout.Plain
) {

  /** Whether the delta was written on top of that version's very contents.
    *
    * @param isNamed whether the delta's name has a checkpoint id: then it names its base for certain. Another may have been written on a
    *                twin of it, which has the same digest
    */
  def goesOnFrom(base: Long, baseId: String, baseDigest: Long, isNamed: Boolean): Boolean =
    version == base + 1 && (baseCommitId == baseId || (!isNamed && base > 0 && baseContentDigest == baseDigest))
}

/** Records in a delta's frames, by kind. */
final case class OperationCounts(puts: Long, removes: Long, merges: Long, rangeDeletes: Long) {
  def total: Long = puts + removes + merges + rangeDeletes
}

/** A frame's records, verified and decompressed. */
final class DeltaFrame(val bytes: Array[Byte], val recordCount: Int)

package io.rockstate.format.wire

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.US_ASCII

import io.rockstate.errors.Unsupported
import io.rockstate.versions.RowLayout

/** The kinds of file with a header. A kind's magic never changes; `newest` is the last format version that this release knows. */
private[format] sealed abstract class FileKind(val label: String, magicText: String, val newest: Int) {
  val magic: Long = ByteBuffer.wrap(magicText.getBytes(US_ASCII)).getLong
}

private[format] object FileKind {
  case object Delta extends FileKind("delta", "RKSTDLTA", newest = 2)
  case object Snapshot extends FileKind("snapshot", "RKSTSNAP", newest = 2)
}

/** The first 14 bytes of every file, alike in all format versions:
  *
  * {{{
  * magic          8 bytes   RKSTDLTA or RKSTSNAP
  * format version u16       1, or 2 for rows that are not plain
  * checksum       i32       CRC32C of the 10 bytes before it: tells a newer format from a damaged byte
  * }}}
  */
private[format] object FileHeader {
  val Bytes = 14
  private val WithLayout = 2

  /** Rows that a reader of format version 1 would misread raise it. */
  def versionFor(layout: RowLayout): Int = if (layout == RowLayout.Plain) 1 else WithLayout

  /** Whether the file says how its rows are laid out. */
  def hasLayout(formatVersion: Int): Boolean = formatVersion >= WithLayout

  def encode(kind: FileKind, formatVersion: Int): Array[Byte] = {
    val header = ByteBuffer.allocate(Bytes).putLong(kind.magic).putShort(formatVersion.toShort)
    header.putInt(Checksum.of(header.array, 0, Bytes - 4)).array
  }

  /** The format version. Refuses a foreign or damaged file, and one that a later release wrote. */
  def decode(kind: FileKind, header: Array[Byte], damage: Damage): Int = {
    val fields = ByteBuffer.wrap(header)
    val magic = fields.getLong
    val formatVersion = fields.getShort & 0xffff
    if (magic != kind.magic) throw damage(s"it does not start as a ${kind.label} file of Rockstate does")
    if (fields.getInt != Checksum.of(header, 0, Bytes - 4))
      throw damage("the checksum of its first bytes does not match")
    if (formatVersion == 0) throw damage("there is no format version 0")
    if (formatVersion > kind.newest)
      throw new Unsupported(
        s"The ${kind.label} file has format version $formatVersion; this release of Rockstate reads versions 1 to ${kind.newest}",
        "Upgrade Rockstate, on the driver and all executors, to the release that wrote the file or a later one.",
        Some(damage.file.name),
        Some(damage.file.version.version)
      )
    formatVersion
  }
}

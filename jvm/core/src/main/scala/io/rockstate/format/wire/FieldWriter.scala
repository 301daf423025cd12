package io.rockstate.format.wire

import java.io.{ByteArrayOutputStream, DataOutputStream}
import java.nio.charset.StandardCharsets.UTF_8

import io.rockstate.errors.Unsupported
import io.rockstate.versions.RowLayout

/** Collects big-endian fields in memory. Text is its UTF-8 bytes behind their number (u16), a block its bytes behind theirs (i32). */
private[format] final class FieldWriter {
  private val bytes = new ByteArrayOutputStream
  private val fields = new DataOutputStream(bytes)

  def u8(value: Int): Unit = fields.writeByte(value)
  def i32(value: Int): Unit = fields.writeInt(value)
  def i64(value: Long): Unit = fields.writeLong(value)

  def u16(value: Int): Unit = {
    if (value < 0 || value > FieldWriter.MaxU16)
      throw new Unsupported(
        s"$value does not fit a field of 0 to ${FieldWriter.MaxU16}",
        "Use fewer or smaller values."
      )
    fields.writeShort(value)
  }

  def text(value: String): Unit = {
    val encoded = value.getBytes(UTF_8)
    u16(encoded.length)
    fields.write(encoded)
  }

  def block(value: Array[Byte]): Unit = {
    i32(value.length)
    fields.write(value)
  }

  /** Nothing in a file of format version 1, which has no such field. */
  def layout(rows: RowLayout): Unit =
    if (FileHeader.hasLayout(FileHeader.versionFor(rows))) {
      i32(rows.confs.size)
      rows.confs.foreach(text)
    }

  def toArray: Array[Byte] = bytes.toByteArray
}

private[format] object FieldWriter {
  val MaxU16 = 0xffff
}

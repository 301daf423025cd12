package io.rockstate.format.wire

import java.nio.ByteBuffer

/** A checked block of fields: length i32, checksum i32, bytes. The checksum is the CRC32C over the length, then the bytes. */
private[format] object Section {
  val HeaderBytes = 8

  def encode(bytes: Array[Byte]): Array[Byte] =
    ByteBuffer.allocate(HeaderBytes + bytes.length).putInt(bytes.length).putInt(checksum(bytes)).put(bytes).array

  def checksumIn(section: Array[Byte]): Int = ByteBuffer.wrap(section).getInt(Integer.BYTES)

  def checksum(bytes: Array[Byte]): Int = Checksum.of(bytes, 0, bytes.length, bytes.length)
}

package io.rockstate.format.wire

import java.nio.ByteBuffer
import java.util.zip.CRC32C

/** CRC32C (Castagnoli), the one checksum of all files. */
private[format] object Checksum {

  /** Over `lengths`, each as an i32, and then the range of bytes. */
  def of(bytes: Array[Byte], offset: Int, length: Int, lengths: Int*): Int = {
    val crc = new CRC32C
    lengths.foreach(add(crc, _))
    crc.update(bytes, offset, length)
    crc.getValue.toInt
  }

  def add(crc: CRC32C, value: Int): Unit = crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(value).array)
}

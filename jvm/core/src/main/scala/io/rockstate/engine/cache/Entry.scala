package io.rockstate.engine.cache

import java.util.Arrays

import io.rockstate.engine.records.Words

/** How a row lies in a chunk: a header word, the key, the value, and room up to the next multiple of eight bytes. The header: 16 bits of
  * key length, 16 of the value's own length, 16 of size in units, whether it was read since it was written, whether it is one of the cache's
  * rows, whether its value is packed. Zero ends a chunk.
  */
private[cache] object Entry {
  final val UnitBytes = 8
  final val HeaderBytes = 8
  private final val Read = 1L << 48
  private final val Live = 1L << 49
  private final val Packed = 1L << 50

  /** No key or value is longer. */
  final val MostBytes = 0xffff

  /** Bytes that an entry takes. */
  def size(keyLength: Int, storedLength: Int): Long =
    (HeaderBytes.toLong + keyLength + storedLength + UnitBytes - 1) / UnitBytes * UnitBytes

  def headerAt(chunk: Array[Byte], at: Int): Long = Words.littleEndian(chunk, at)

  def setHeader(chunk: Array[Byte], at: Int, header: Long): Unit = Words.setLittleEndian(chunk, at, header)

  /** That of a new entry: not read yet. */
  def header(keyLength: Int, value: PackedValue, size: Int): Long =
    withValue(keyLength.toLong | (size / UnitBytes).toLong << 32 | Live, value)

  def keyLength(header: Long): Int = (header & 0xffff).toInt
  def valueLength(header: Long): Int = (header >>> 16 & 0xffff).toInt
  def size(header: Long): Int = (header >>> 32 & 0xffff).toInt * UnitBytes
  def isRead(header: Long): Boolean = (header & Read) != 0
  def isLive(header: Long): Boolean = (header & Live) != 0

  def withValue(header: Long, value: PackedValue): Long =
    header & ~(0xffffL << 16 | Packed) | value.length.toLong << 16 | (if (value.isPacked) Packed else 0)

  /** A copy of the value of the entry at `at`, which has this header. */
  def value(chunk: Array[Byte], at: Int, header: Long): Array[Byte] = {
    val start = at + HeaderBytes + keyLength(header)
    if ((header & Packed) == 0) Arrays.copyOfRange(chunk, start, start + valueLength(header))
    else {
      val bytes = new Array[Byte](valueLength(header))
      PackedWords.unpack(chunk, start, bytes)
      bytes
    }
  }

  def read(header: Long): Long = header | Read
  def unread(header: Long): Long = header & ~Read
  def dead(header: Long): Long = header & ~Live
}

package io.rockstate.engine.cache

import io.rockstate.engine.records.Words

/** How a row lies in a chunk: a header word, the key, the value, and room up to the next multiple of eight bytes. The header: 16 bits of
  * key length, 16 of value length, 16 of size in units, whether it was read since it was written, whether it is one of the cache's rows.
  * Zero ends a chunk.
  */
private[cache] object Entry {
  final val UnitBytes = 8
  final val HeaderBytes = 8
  private final val Read = 1L << 48
  private final val Live = 1L << 49

  /** Bytes that an entry takes. */
  def size(keyLength: Int, valueLength: Int): Long =
    (HeaderBytes.toLong + keyLength + valueLength + UnitBytes - 1) / UnitBytes * UnitBytes

  def headerAt(chunk: Array[Byte], at: Int): Long = Words.littleEndian(chunk, at)

  def setHeader(chunk: Array[Byte], at: Int, header: Long): Unit = Words.setLittleEndian(chunk, at, header)

  /** That of a new entry: not read yet. */
  def header(keyLength: Int, valueLength: Int, size: Int): Long =
    keyLength.toLong | valueLength.toLong << 16 | (size / UnitBytes).toLong << 32 | Live

  def keyLength(header: Long): Int = (header & 0xffff).toInt
  def valueLength(header: Long): Int = (header >>> 16 & 0xffff).toInt
  def size(header: Long): Int = (header >>> 32 & 0xffff).toInt * UnitBytes
  def isRead(header: Long): Boolean = (header & Read) != 0
  def isLive(header: Long): Boolean = (header & Live) != 0

  def withValueLength(header: Long, length: Int): Long = header & ~(0xffffL << 16) | length.toLong << 16
  def read(header: Long): Long = header | Read
  def unread(header: Long): Long = header & ~Read
  def dead(header: Long): Long = header & ~Live
}

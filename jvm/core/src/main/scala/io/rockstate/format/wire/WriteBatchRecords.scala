package io.rockstate.format.wire

import io.rockstate.errors.Unsupported

/** Records of a RocksDB write batch, without the batch's 12-byte head, as they stand in a delta's frames:
  *
  * {{{
  * record = 0x01 slice(key) slice(value)        put
  *        | 0x00 slice(key)                     delete
  *        | 0x02 slice(key) slice(operand)      merge
  *        | 0x0F slice(first) slice(end)        delete range: first included, end not
  * slice  = length varint32, bytes[length]
  * }}}
  *
  * Sizes are exact, so that a caller can make room first; a `write…` returns the offset after its record. Nothing is allocated.
  */
object WriteBatchRecords {
  val Delete: Byte = 0x00
  val Put: Byte = 0x01
  val Merge: Byte = 0x02
  val DeleteRange: Byte = 0x0f

  /** The largest row, key and value together: the largest power of two for which the worst output of every codec still fits a Java array. */
  val MaxRowBytes: Int = 1 << 30

  /** Bytes in front of the records in a batch for RocksDB: 8 of sequence number, all zero, then the number of records, little-endian. */
  val BatchHeaderBytes = 12

  /** Size of a put, merge or delete range with slices of these lengths. */
  def pairSize(firstLength: Int, secondLength: Int): Int =
    checkedSize(1L + sliceSize(firstLength) + sliceSize(secondLength))

  def deleteSize(keyLength: Int): Int = checkedSize(1L + sliceSize(keyLength))

  def writePut(target: Array[Byte], at: Int, key: Array[Byte], value: Array[Byte]): Int =
    writePair(target, at, Put, key, value)

  def writeMerge(target: Array[Byte], at: Int, key: Array[Byte], operand: Array[Byte]): Int =
    writePair(target, at, Merge, key, operand)

  def writeDelete(target: Array[Byte], at: Int, key: Array[Byte]): Int = {
    target(at) = Delete
    writeSlice(target, at + 1, key)
  }

  /** Writes the head of a batch of `recordCount` records into the first 12 bytes from `at` on. */
  def writeBatchHeader(target: Array[Byte], at: Int, recordCount: Int): Unit = {
    java.util.Arrays.fill(target, at, at + 8, 0.toByte)
    target(at + 8) = recordCount.toByte
    target(at + 9) = (recordCount >>> 8).toByte
    target(at + 10) = (recordCount >>> 16).toByte
    target(at + 11) = (recordCount >>> 24).toByte
  }

  private def writePair(target: Array[Byte], at: Int, tag: Byte, first: Array[Byte], second: Array[Byte]): Int = {
    target(at) = tag
    writeSlice(target, writeSlice(target, at + 1, first), second)
  }

  private def writeSlice(target: Array[Byte], at: Int, bytes: Array[Byte]): Int = {
    val start = writeVarint(target, at, bytes.length)
    System.arraycopy(bytes, 0, target, start, bytes.length)
    start + bytes.length
  }

  private def writeVarint(target: Array[Byte], at: Int, value: Int): Int = {
    var rest = value
    var position = at
    while (rest > 0x7f) {
      target(position) = (rest | 0x80).toByte
      rest >>>= 7
      position += 1
    }
    target(position) = rest.toByte
    position + 1
  }

  private def sliceSize(length: Int): Long = {
    val significantBits = 32 - Integer.numberOfLeadingZeros(length | 1)
    (significantBits + 6) / 7 + length.toLong
  }

  /** The size, if a row of it can be stored. */
  def requireRow(size: Long): Int = checkedSize(size)

  private def checkedSize(size: Long): Int = {
    if (size > MaxRowBytes)
      throw new Unsupported(
        s"A row of $size bytes",
        s"A row, key and value together, has at most ${MaxRowBytes} bytes: store less per key."
      )
    size.toInt
  }
}

package io.rockstate.db

import java.util.Arrays

import io.rockstate.format.wire.WriteBatchRecords

/** Collects records into RocksDB's serialized write batches and hands each to `write` as soon as it is full, so that no more than one is held. A
  * batch is: 8 bytes sequence (zero), 4 bytes little-endian count of records, records.
  *
  * @param underWay a key that the database has from the first batch to the last, if there are several
  */
final class WriteBatches(write: Array[Byte] => Unit, underWay: Option[Array[Byte]] = None) {
  import WriteBatches._

  private var bytes = new Array[Byte](4096)
  private var used = WriteBatchRecords.BatchHeaderBytes
  private var count = 0
  private var isMarked = false

  /** Adds whole records that stand one after the other. */
  def add(source: Array[Byte], offset: Int, length: Int, records: Int): Unit = {
    if (count > 0 && used + length.toLong > MaxBatchBytes) {
      mark()
      writeOut()
    }
    if (length > MaxBatchBytes) mark() // before it: behind it there would be no room without one more copy
    reserve(length)
    System.arraycopy(source, offset, bytes, used, length)
    used += length
    count += records
    if (length > MaxBatchBytes) writeOut()
  }

  /** Adds one more put to the last batch, and writes that. */
  def finish(key: Array[Byte], value: Array[Byte]): Unit = {
    reserve(WriteBatchRecords.pairSize(key.length, value.length))
    used = WriteBatchRecords.writePut(bytes, used, key, value)
    count += 1
    unmark()
    writeOut()
  }

  /** Writes what is there. */
  def flush(): Unit = if (count > 0) writeOut()

  private def mark(): Unit = if (!isMarked) underWay.foreach { key =>
    reserve(WriteBatchRecords.pairSize(key.length, 0))
    used = WriteBatchRecords.writePut(bytes, used, key, Array.emptyByteArray)
    count += 1
    isMarked = true
  }

  private def unmark(): Unit = if (isMarked) underWay.foreach { key =>
    reserve(WriteBatchRecords.deleteSize(key.length))
    used = WriteBatchRecords.writeDelete(bytes, used, key)
    count += 1
    isMarked = false
  }

  private def reserve(length: Int): Unit = {
    val needed = Math.addExact(used, length)
    if (bytes.length < needed)
      bytes = Arrays.copyOf(bytes, math.max(bytes.length * 2L min MaxBatchBytes, needed.toLong).toInt)
  }

  private def writeOut(): Unit = {
    WriteBatchRecords.writeBatchHeader(bytes, 0, count)
    write(if (used == bytes.length) bytes else Arrays.copyOf(bytes, used))
    if (bytes.length > MaxBatchBytes) bytes = new Array[Byte](4096)
    used = WriteBatchRecords.BatchHeaderBytes
    count = 0
  }
}

private object WriteBatches {

  /** RocksDB copies a batch whole: past this size a single copy costs more memory than it saves calls. */
  val MaxBatchBytes: Long = 4L << 20
}

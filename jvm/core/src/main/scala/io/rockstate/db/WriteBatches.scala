package io.rockstate.db

import java.nio.{ByteBuffer, ByteOrder}
import java.util.Arrays

import scala.collection.mutable.ArrayBuffer

import io.rockstate.format.WriteBatchRecords

/** Collects records into as few of RocksDB's serialized write batches as sensible. A batch is: 8 bytes sequence (zero), 4 bytes
  * little-endian count of records, records.
  */
final class WriteBatches {
  import WriteBatches._

  private val finished = ArrayBuffer.empty[Array[Byte]]
  private var bytes = new Array[Byte](4096)
  private var used = WriteBatchRecords.BatchHeaderBytes
  private var count = 0

  /** Adds whole records that stand one after the other. */
  def add(source: Array[Byte], offset: Int, length: Int, records: Int): Unit = {
    if (count > 0 && used + length.toLong > MaxBatchBytes) finishBatch()
    if (bytes.length - used < length)
      bytes = Arrays.copyOf(bytes, math.max(bytes.length * 2L min MaxBatchBytes, used + length.toLong).toInt)
    System.arraycopy(source, offset, bytes, used, length)
    used += length
    count += records
  }

  /** The batches, in order of adding; the collector is empty afterwards. */
  def result(): Vector[Array[Byte]] = {
    if (count > 0) finishBatch()
    val batches = finished.toVector
    finished.clear()
    batches
  }

  private def finishBatch(): Unit = {
    WriteBatchRecords.writeBatchHeader(bytes, 0, count)
    finished += Arrays.copyOf(bytes, used)
    used = WriteBatchRecords.BatchHeaderBytes
    count = 0
  }
}

object WriteBatches {

  /** RocksDB copies a batch whole; past this size a single copy costs more memory than it saves calls. */
  private val MaxBatchBytes: Long = 32L << 20

  /** A batch with one more put at its end; a batch of its own if there is none. */
  def withPut(batch: Option[Array[Byte]], key: Array[Byte], value: Array[Byte]): Array[Byte] = {
    val before = batch.getOrElse(new Array[Byte](WriteBatchRecords.BatchHeaderBytes))
    val bytes = Arrays.copyOf(before, before.length + WriteBatchRecords.pairSize(key.length, value.length))
    WriteBatchRecords.writePut(bytes, before.length, key, value)
    val header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
    header.putInt(CountOffset, header.getInt(CountOffset) + 1)
    bytes
  }

  private val CountOffset = 8
}

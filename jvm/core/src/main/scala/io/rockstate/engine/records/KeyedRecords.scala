package io.rockstate.engine.records

import java.util.Arrays

import io.rockstate.format.wire.WriteBatchRecords

/** Write-batch records by their keys, and keys of which something is known without a record. Bytes stay where they are. Not thread-safe. */
private[engine] final class KeyedRecords {
  import KeyedRecords._

  val index = new KeyIndex
  val records = new RecordTable
  private var last = new Array[Int](InitialKeys) // id -> its newest record, or -1
  private var written = new Array[Int](InitialKeys) // the ids that have a record, in the order of their first
  private var writtenCount = 0
  private var combinedBytes = 0L // of the arrays with what was merged

  /** Number of keys that have a record. */
  def writtenKeys: Int = writtenCount

  /** The id of the n-th key to be written. */
  def writtenKey(n: Int): Int = written(n)

  def writtenIds: Array[Int] = Arrays.copyOf(written, writtenCount)

  def find(key: Array[Byte], hash: Int): Int = index.find(key, 0, key.length, hash)

  /** The id's newest record, or -1. */
  def newest(id: Int): Int = last(id)

  /** Adds a key without a record. */
  def addKey(chunk: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    val id = index.add(chunk, offset, length, hash)
    if (id == last.length) last = Arrays.copyOf(last, id * 2)
    last(id) = -1
    id
  }

  /** Adds a record of the key whose id is `id`.
    *
    * @param value where the record's value starts, or -1 for a removal
    */
  def add(id: Int, chunk: Array[Byte], start: Int, end: Int, value: Int): Unit = {
    if (last(id) < 0) {
      if (writtenCount == written.length) written = Arrays.copyOf(written, writtenCount * 2)
      written(writtenCount) = id
      writtenCount += 1
    }
    last(id) = records.add(chunk, start, end, value, last(id))
  }

  /** Leaves one record for each key: its last one, or one that does what its last put or removal and the merges since do together. */
  def keepNetRecords(): Unit = {
    val combined = new Chunks(CombinedChunkBytes)
    var n = 0
    while (n < writtenCount) {
      val id = written(n)
      if (records.isMerge(last(id)) && records.hasPrevious(last(id))) last(id) = combine(id, combined)
      n += 1
    }
    combinedBytes += combined.allocatedBytes
  }

  def allocatedBytes: Long =
    index.allocatedBytes + records.allocatedBytes + combinedBytes + (last.length + written.length) * 4L

  private def combine(id: Int, combined: Chunks): Int = {
    val key = index.key(id)
    val value = records.value(last(id), null)
    val size = WriteBatchRecords.pairSize(key.length, value.length)
    val place = combined.reserve(size)
    val chunk = combined.chunk(place)
    val start = combined.offset(place)
    if (records.extendsBase(last(id))) WriteBatchRecords.writeMerge(chunk, start, key, value)
    else WriteBatchRecords.writePut(chunk, start, key, value)
    records.add(chunk, start, start + size, start + size - value.length, -1)
  }
}

private object KeyedRecords {
  private val InitialKeys = 128
  private val CombinedChunkBytes = 64 << 10
}

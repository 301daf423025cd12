package io.rockstate.engine

import java.util.{Arrays, Map => JavaMap}
import java.util.concurrent.ConcurrentSkipListMap

import io.rockstate.format.WriteBatchRecords

/** The uncommitted writes of one transaction, and what it has learnt of its keys' presence in the base version.
  *
  * Each write becomes one serialized write-batch record, kept in chunks. A full chunk goes to `onFrame` (bytes, length, records) while the
  * transaction still runs; the same bytes are later applied to the database. Not thread-safe.
  */
private[engine] final class PendingWrites(onFrame: (Array[Byte], Int, Int) => Unit) {
  import PendingWrites._

  private val chunks = new Chunks(FrameBytes)
  private val learnt = new Chunks(LearntChunkBytes)
  private val index = new KeyIndex
  private val records = new RecordTable
  private var last = new Array[Int](InitialKeys) // id -> its newest record, or -1
  private var presence = new Array[Byte](InitialKeys) // id -> whether the base version has the key
  private var framed = 0
  private var placed = 0 // where in its chunk the newest record starts

  /** Records of each kind so far. */
  var puts = 0L
  var merges = 0L
  var removes = 0L

  private var ordered: ConcurrentSkipListMap[Array[Byte], Integer] = _

  def put(key: Array[Byte], value: Array[Byte]): Unit = {
    val size = WriteBatchRecords.pairSize(key.length, value.length)
    val chunk = reserve(size)
    WriteBatchRecords.writePut(chunk, placed, key, value)
    append(key, chunk, placed + size, placed + size - value.length)
    puts += 1
  }

  def merge(key: Array[Byte], operand: Array[Byte]): Unit = {
    val size = WriteBatchRecords.pairSize(key.length, operand.length)
    val chunk = reserve(size)
    WriteBatchRecords.writeMerge(chunk, placed, key, operand)
    append(key, chunk, placed + size, placed + size - operand.length)
    merges += 1
  }

  def remove(key: Array[Byte]): Unit = {
    val size = WriteBatchRecords.deleteSize(key.length)
    val chunk = reserve(size)
    WriteBatchRecords.writeDelete(chunk, placed, key)
    append(key, chunk, placed + size, value = -1)
    removes += 1
  }

  /** The newest record of the key, or -1 if this transaction did not write it. */
  def newest(key: Array[Byte]): Int = {
    val id = index.find(key)
    if (id < 0) -1 else last(id)
  }

  /** Takes note of whether the base version has the key, as a read has just found out. */
  def learn(key: Array[Byte], present: Boolean): Unit = {
    val id = index.find(key)
    if (id >= 0) presence(id) = known(present)
    else if (learnt.allocatedBytes < MaxLearntBytes) {
      val address = learnt.reserve(key.length)
      val chunk = learnt.chunk(address)
      System.arraycopy(key, 0, chunk, learnt.offset(address), key.length)
      val added = addKey(key, chunk, learnt.offset(address))
      presence(added) = known(present)
    }
  }

  /** Number of records so far: a scan that starts now sees those and none after them. */
  def mark: Int = records.size

  /** The written keys in order from `lower` on, including any that are written while the iterator is in use. */
  def keysFrom(lower: Array[Byte]): java.util.Iterator[JavaMap.Entry[Array[Byte], Integer]] = {
    if (ordered == null) {
      ordered = new ConcurrentSkipListMap[Array[Byte], Integer](UnsignedBytes)
      (0 until index.size).foreach(id => if (last(id) >= 0) ordered.put(index.key(id), id))
    }
    ordered.tailMap(lower, true).entrySet.iterator
  }

  /** The key's record as of `mark`, or -1 if it had not been written then. */
  def recordAt(mark: Int, id: Int): Int = records.before(mark, last(id))

  def isRemoval(record: Int): Boolean = records.isRemoval(record)

  /** The key's value as of the record, or null if it has none then; `base` gives the base version's, should the record extend it. */
  def value(record: Int, base: => Array[Byte]): Array[Byte] = records.value(record, base)

  /** Hands the unfinished chunk to `onFrame`. */
  def flushFrame(): Unit = if (records.size > framed) {
    val (chunk, length) = chunks.current
    onFrame(chunk, length, records.size - framed)
    framed = records.size
  }

  /** What became of each key, in key order. Looks up with `contains` what no read has told. */
  def freeze(contains: Array[Byte] => Boolean): FrozenWrites = {
    val ids = writtenInOrder()
    val rowChanges = scala.collection.mutable.Map.empty[Int, Long].withDefaultValue(0L)
    ids.foreach { id =>
      val had = if (presence(id) == Unknown) contains(index.key(id)) else presence(id) == Present
      val has = !records.isRemoval(last(id))
      if (had != has) rowChanges(index.family(id)) += (if (has) 1 else -1)
    }
    new FrozenWrites(netRecords(ids), rowChanges.toMap)
  }

  /** One record for each key: its last one, or one that does what its last put or removal and the merges since do together. */
  private def netRecords(ids: Array[Int]): RecordTable = {
    val net = new RecordTable
    val combined = new Chunks(FrameBytes)
    ids.foreach { id =>
      val record = last(id)
      if (records.isMerge(record)) addCombined(index.key(id), record, combined, net)
      else net.addFrom(records, record)
    }
    net
  }

  private def addCombined(key: Array[Byte], record: Int, combined: Chunks, net: RecordTable): Unit = {
    val value = records.value(record, null)
    val size = WriteBatchRecords.pairSize(key.length, value.length)
    val address = combined.reserve(size)
    val (chunk, start) = (combined.chunk(address), combined.offset(address))
    if (records.extendsBase(record)) WriteBatchRecords.writeMerge(chunk, start, key, value)
    else WriteBatchRecords.writePut(chunk, start, key, value)
    net.add(chunk, start, start + size, start + size - value.length, -1)
    ()
  }

  def allocatedBytes: Long =
    chunks.allocatedBytes + learnt.allocatedBytes + index.allocatedBytes + records.allocatedBytes + last.length * 5L

  private def reserve(size: Int): Array[Byte] = {
    if (!chunks.isEmpty && !chunks.hasRoom(size)) flushFrame()
    val address = chunks.reserve(size)
    placed = chunks.offset(address)
    chunks.chunk(address)
  }

  /** Files the record that starts at `placed`. In a record the key ends where it would in a delete. */
  private def append(key: Array[Byte], chunk: Array[Byte], end: Int, value: Int): Unit = {
    val found = index.find(key)
    val id =
      if (found >= 0) found else addKey(key, chunk, placed + WriteBatchRecords.deleteSize(key.length) - key.length)
    val isFirst = last(id) < 0
    last(id) = records.add(chunk, placed, end, value, last(id))
    if (isFirst && ordered != null) ordered.put(index.key(id), id)
  }

  private def addKey(key: Array[Byte], chunk: Array[Byte], offset: Int): Int = {
    val id = index.add(key, chunk, offset)
    if (id == last.length) {
      last = Arrays.copyOf(last, id * 2)
      presence = Arrays.copyOf(presence, id * 2)
    }
    last(id) = -1
    id
  }

  private def writtenInOrder(): Array[Int] = {
    val ids = (0 until index.size).iterator.filter(last(_) >= 0).map(Integer.valueOf).toArray
    Arrays.sort(ids, (a: Integer, b: Integer) => index.compare(a, b))
    ids.map(_.intValue)
  }

  private def known(present: Boolean): Byte = if (present) Present else Absent
}

private[engine] object PendingWrites {

  /** A chunk is a delta's frame: large enough to compress well, small enough that a batch of a few thousand rows streams out early. */
  private val FrameBytes = 256 << 10
  private val LearntChunkBytes = 64 << 10

  /** Beyond this, presence is looked up at commit instead of remembered from reads. */
  private val MaxLearntBytes = 32L << 20
  private val InitialKeys = 128

  private val Unknown: Byte = 0
  private val Present: Byte = 1
  private val Absent: Byte = 2

  private val UnsignedBytes: java.util.Comparator[Array[Byte]] = Arrays.compareUnsigned(_, _)
}

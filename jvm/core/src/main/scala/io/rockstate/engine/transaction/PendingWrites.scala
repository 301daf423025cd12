package io.rockstate.engine.transaction

import java.util.Arrays

import io.rockstate.engine.cache.{CacheAddresses, ReadCache}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.loaded.View
import io.rockstate.engine.records.{Chunks, KeyHash, KeyedRecords, SortedKeys}
import io.rockstate.format.wire.WriteBatchRecords

/** The uncommitted writes of one transaction, and what it has learnt of its keys' presence in the base version.
  *
  * Each write becomes one serialized write-batch record, kept in chunks. A full chunk goes to `onFrame` (bytes, length, records) while the
  * transaction still runs; the same bytes are later applied to the database. A `hash` is the key's. Not thread-safe.
  *
  * @param cache the base version's rows as far as they are at hand, or null
  */
private[engine] final class PendingWrites(cache: ReadCache, onFrame: (Array[Byte], Int, Int) => Unit) {
  import PendingWrites._

  private val chunks = new Chunks(FrameBytes)
  private val learnt = new Chunks(LearntChunkBytes)
  private val written = new KeyedRecords
  private var presence = new Array[Byte](InitialKeys) // id -> whether the base version has the key
  private var framed = 0

  /** The written keys in the cache, or null if there is none. */
  val addresses: CacheAddresses = if (cache == null) null else new CacheAddresses(cache, written)

  private val rowChanges = new RowChanges(written, cache, addresses)
  private var mergedBytes = 0L

  /** Records of each kind so far. */
  var puts = 0L
  var merges = 0L
  var removes = 0L

  private var ordered: SortedKeys = _
  private var orderedKeys = 0

  def put(key: Array[Byte], hash: Int, value: Array[Byte]): Unit = {
    val size = WriteBatchRecords.pairSize(key.length, value.length)
    val place = reserve(size)
    val chunk = chunks.chunk(place)
    val start = chunks.offset(place)
    WriteBatchRecords.writePut(chunk, start, key, value)
    append(key, hash, chunk, start, start + size, start + size - value.length)
    puts += 1
  }

  def merge(key: Array[Byte], hash: Int, operand: Array[Byte]): Unit = {
    val size = WriteBatchRecords.pairSize(key.length, operand.length)
    val place = reserve(size)
    val chunk = chunks.chunk(place)
    val start = chunks.offset(place)
    WriteBatchRecords.writeMerge(chunk, start, key, operand)
    append(key, hash, chunk, start, start + size, start + size - operand.length)
    merges += 1
    mergedBytes += operand.length
  }

  def remove(key: Array[Byte], hash: Int): Unit = {
    val size = WriteBatchRecords.deleteSize(key.length)
    val place = reserve(size)
    val chunk = chunks.chunk(place)
    val start = chunks.offset(place)
    WriteBatchRecords.writeDelete(chunk, start, key)
    append(key, hash, chunk, start, start + size, value = -1)
    removes += 1
  }

  /** The newest record of the key, or -1 if this transaction did not write it. */
  def newest(key: Array[Byte], hash: Int): Int = {
    val id = written.find(key, hash)
    if (id < 0) -1 else written.newest(id)
  }

  /** Takes note of whether the base version has the key, as a read has just found out. */
  def learn(key: Array[Byte], hash: Int, present: Boolean): Unit = {
    val id = written.find(key, hash)
    if (id >= 0) presence(id) = known(present)
    else if (learnt.allocatedBytes < MaxLearntBytes) {
      val place = learnt.reserve(key.length)
      val chunk = learnt.chunk(place)
      System.arraycopy(key, 0, chunk, learnt.offset(place), key.length)
      val added = addKey(chunk, learnt.offset(place), key.length, hash)
      presence(added) = known(present)
    }
  }

  /** Number of records so far: a scan that starts now sees those and none after them. */
  def mark: Int = written.records.size

  /** The ids of the written keys in order from `lower` on, those among them that are written while the cursor is in use. */
  def keysFrom(lower: Array[Byte]): SortedKeys#Cursor = {
    if (ordered == null) ordered = SortedKeys.of(written.index, written.writtenIds)
    else (orderedKeys until written.writtenKeys).foreach(n => ordered.add(written.writtenKey(n)))
    orderedKeys = written.writtenKeys
    ordered.from(lower)
  }

  def key(id: Int): Array[Byte] = written.index.key(id)
  def isBelow(id: Int, upper: Array[Byte]): Boolean = written.index.compare(id, upper) < 0

  /** The key's record as of `mark`, or -1 if it had not been written then. */
  def recordAt(mark: Int, id: Int): Int = written.records.before(mark, written.newest(id))

  /** The same for the key in these bytes. */
  def recordAt(mark: Int, bytes: Array[Byte], offset: Int, length: Int): Int = {
    val id = written.index.find(bytes, offset, length, KeyHash.of(bytes, offset, length))
    if (id < 0 || written.newest(id) < 0) -1 else recordAt(mark, id)
  }

  /** Number of keys written so far, and the n-th of them with its record as of `mark`. */
  def writtenKeys: Int = written.writtenKeys
  def writtenKey(n: Int): Array[Byte] = written.index.key(written.writtenKey(n))
  def recordAtMark(mark: Int, n: Int): Int = recordAt(mark, written.writtenKey(n))

  def isRemoval(record: Int): Boolean = written.records.isRemoval(record)

  /** The key's value as of the record, or null if it has none then; `base` gives the base version's, should the record extend it. */
  def value(record: Int, base: => Array[Byte]): Array[Byte] = written.records.value(record, base)

  /** Hands the unfinished chunk to `onFrame`, and looks its keys up in the cache. */
  private def flushFrame(): Unit = if (written.records.size > framed) {
    val (chunk, length) = chunks.current
    onFrame(chunk, length, written.records.size - framed)
    framed = written.records.size
    if (addresses != null) addresses.lookUp()
    rowChanges.lookedUp()
  }

  /** What became of each key. No write may follow.
    *
    * @param view    the base version: asked for what neither the cache nor a read has told
    * @param highest no key of the base version is above it; null if nothing is known
    */
  def freeze(view: View, highest: Array[Byte] = null): FrozenWrites = {
    flushFrame()
    val changes = rowChanges.result(isInBase(_, view, highest))
    if (merges > 0) {
      if (mergedBytes >= MostBesideCached) requireRows(view)
      written.keepNetRecords()
    }
    FrozenWrites(new ChangeLayer(written, allocatedBytes), changes, rowChanges.anyBefore)
  }

  /** Whether the base version has the n-th key to be written, which its cache did not tell. */
  private def isInBase(n: Int, view: View, highest: Array[Byte]): Boolean = {
    val id = written.writtenKey(n)
    val appended = if (merges == 0) -1 else written.records.appendedToBase(written.newest(id))
    if (appended >= 0 && presence(id) != Absent) extended(id, appended, view)
    else if (presence(id) == Unknown && highest != null && written.index.compare(id, highest) > 0) false
    else if (presence(id) == Unknown) view.contains(written.index.key(id), written.index.hash(id))
    else presence(id) == Present
  }

  /** Refuses rows that grew too large to be read, also those whose keys the cache has. */
  private def requireRows(view: View): Unit = (0 until written.writtenKeys).foreach { n =>
    val id = written.writtenKey(n)
    val appended = written.records.appendedToBase(written.newest(id))
    if (appended >= MostBesideCached && presence(id) != Absent) extended(id, appended, view): Unit
  }

  /** Whether the base version has a key that is appended to. Refuses a row that grew too large, by this version and those before. */
  private def extended(id: Int, appended: Long, view: View): Boolean = {
    val key = written.index.key(id)
    val base = view.length(key, written.index.hash(id))
    WriteBatchRecords.pairSize(key.length, WriteBatchRecords.requireRow(math.max(base, 0) + appended))
    base >= 0
  }

  def allocatedBytes: Long =
    chunks.allocatedBytes + learnt.allocatedBytes + written.allocatedBytes + rowChanges.allocatedBytes + presence.length +
      (if (ordered == null) 0 else ordered.allocatedBytes)

  private def reserve(size: Int): Long = {
    if (!chunks.isEmpty && !chunks.hasRoom(size)) flushFrame()
    chunks.reserve(size)
  }

  /** Files a record. In it the key ends where it would in a delete. */
  private def append(key: Array[Byte], hash: Int, chunk: Array[Byte], start: Int, end: Int, value: Int): Unit = {
    val found = written.find(key, hash)
    val id =
      if (found >= 0) found
      else addKey(chunk, start + WriteBatchRecords.deleteSize(key.length) - key.length, key.length, hash)
    rowChanges.write(id, isRemoval = value < 0)
    written.add(id, chunk, start, end, value)
  }

  private def addKey(chunk: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    val id = written.addKey(chunk, offset, length, hash)
    if (id == presence.length) presence = Arrays.copyOf(presence, id * 2)
    presence(id) = Unknown
    id
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

  /** A value in the cache is shorter than 64 KB: with less than this after it, it is still a row. */
  private val MostBesideCached = 512L << 20

  private val Unknown: Byte = 0
  private val Present: Byte = 1
  private val Absent: Byte = 2
}

/** What a transaction changed.
  *
  * @param rowChanges  how each column family's row count changes, by its id; those with higher ids do not change
  * @param changesRows whether the base version has any of the written keys
  */
private[engine] final case class FrozenWrites(layer: ChangeLayer, rowChanges: Array[Long], changesRows: Boolean)

package io.rockstate.engine.cache

import java.util.Arrays

import scala.collection.mutable

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeySource}
import io.rockstate.errors.OnFailure

/** A cache's entries in chunks of bytes, each found at its address: its chunk's number and where it is in that. They are appended to the
  * newest chunk; one that is removed or moved leaves a gap until its chunk is retired. The first chunk begins small and grows with its
  * entries: there may be a thousand stores that have no more.
  *
  * It takes chunks from the heap's memory and gives them back, but does not decide when. Not thread-safe.
  */
private[cache] final class EntryChunks(heap: HeapMemory) extends KeySource {
  import Entry._
  import EntryChunks._

  private val largestChunk = largestChunkFor(heap.totalBytes)
  private val chunkShift = Integer.numberOfTrailingZeros(largestChunk / UnitBytes)
  private val mostChunks = (Int.MaxValue >>> chunkShift) - 1 // addresses are positive: 16 GB
  private var chunks = new Array[Array[Byte]](16)
  private val filled = mutable.ArrayDeque.empty[Int] // numbers of the chunks in use, oldest first
  private val free = mutable.ArrayDeque.from(chunks.indices)
  private var live = new Array[Int](chunks.length) // bytes of a chunk's entries that were neither removed nor moved
  private var chunkBytes = 0L // of all chunks in use
  private var spare: Array[Byte] = _
  private var used = 0 // of the newest chunk
  private var newestBytes = 0 // its length, 0 if there is none

  /** All addresses are below this. */
  def addresses: Long = chunks.length.toLong << chunkShift

  def allocatedBytes: Long = chunkBytes + (if (spare == null) 0 else spare.length)

  override def chunk(address: Int): Array[Byte] = chunks(address >>> chunkShift)

  /** Where the entry's key is in its chunk. */
  override def offset(address: Int): Int = offsetOf(address) + HeaderBytes

  /** How long its key is. */
  override def length(address: Int): Int = keyLength(headerAt(chunk(address), offsetOf(address)))

  def hash(address: Int): Int = KeyHash.of(chunk(address), offset(address), length(address))

  def isKey(address: Int, bytes: Array[Byte], offset: Int, length: Int): Boolean = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val start = at + HeaderBytes
    keyLength(headerAt(chunk, at)) == length &&
    Arrays.equals(chunk, start, start + length, bytes, offset, offset + length)
  }

  /** A copy of the entry's key, or null if it is not below `upper`. */
  def keyBelow(address: Int, upper: Array[Byte]): Array[Byte] = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val start = at + HeaderBytes
    val end = start + keyLength(headerAt(chunk, at))
    if (Arrays.compareUnsigned(chunk, start, end, upper, 0, upper.length) < 0) Arrays.copyOfRange(chunk, start, end)
    else null
  }

  /** A copy of the entry's value, which counts as read from now on. */
  def value(address: Int): Array[Byte] = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    if (!Entry.isRead(header)) setHeader(chunk, at, read(header))
    Entry.value(chunk, at, header)
  }

  def isRead(address: Int): Boolean = Entry.isRead(headerAt(chunk(address), offsetOf(address)))

  /** Makes it the entry's value; false if it does not fit. */
  def overwrite(address: Int, value: PackedValue): Boolean = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    val start = at + HeaderBytes + keyLength(header)
    val fits = start + value.storedLength <= at + size(header)
    if (fits) {
      System.arraycopy(value.bytes, value.offset, chunk, start, value.storedLength)
      setHeader(chunk, at, withValue(header, value))
    }
    fits
  }

  /** Whether an entry of `size` bytes may be here at all. */
  def takes(size: Long): Boolean = size <= largestChunk / LargestShare

  /** Whether `size` bytes go into the newest chunk. */
  def hasRoom(size: Long): Boolean = used + size <= newestBytes

  /** Adds an entry to the newest chunk, which must have room for it. Its address. */
  def append(keyBytes: Array[Byte], keyOffset: Int, keyLength: Int, value: PackedValue): Int = {
    val size = Entry.size(keyLength, value.storedLength).toInt
    val chunk = chunks(filled.last)
    val at = used
    setHeader(chunk, at, header(keyLength, value, size))
    System.arraycopy(keyBytes, keyOffset, chunk, at + HeaderBytes, keyLength)
    System.arraycopy(value.bytes, value.offset, chunk, at + HeaderBytes + keyLength, value.storedLength)
    added(size)
  }

  def remove(address: Int): Unit = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    setHeader(chunk, at, dead(header))
    live(address >>> chunkShift) -= size(header)
  }

  /** Copies an entry to the newest chunk, which must have room for it. Its new address; its own chunk is to be retired. */
  def move(address: Int): Int = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val bytes = size(headerAt(chunk, at))
    System.arraycopy(chunk, at, chunks(filled.last), used, bytes)
    added(bytes)
  }

  /** The same, and it counts as not read; -1 if more than half of the newest chunk would be taken then. */
  def moveToHalf(address: Int): Int = {
    val chunk = this.chunk(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    if (used + size(header) > newestBytes / 2) -1
    else {
      setHeader(chunk, at, unread(header))
      move(address)
    }
  }

  /** Walks all entries, in no order. Good until the next change. */
  def cursor(): EntryCursor = {
    endNewest()
    new EntryCursor(this, filled.iterator)
  }

  /** Runs `body` on the address of each of a chunk's entries. */
  def foreachIn(number: Int)(body: Int => Unit): Unit = {
    if (number == filled.last) endNewest()
    val chunk = chunks(number)
    var at = 0
    while (at < chunk.length) {
      val header = headerAt(chunk, at)
      if (header == 0) at = chunk.length
      else {
        if (isLive(header)) body(addressOf(number, at))
        at += size(header)
      }
    }
  }

  def isEmpty: Boolean = filled.isEmpty

  /** The number of the oldest chunk. */
  def oldest: Int = filled.head

  /** The number of the chunk that has the least in it, or -1 if there is none. */
  def emptiest: Int = if (filled.isEmpty) -1 else filled.minBy(live(_))

  def bytes(number: Int): Array[Byte] = chunks(number)
  def liveBytes(number: Int): Int = live(number)

  /** Lengthens a chunk that has not its full size yet, or starts another one; false if there is no memory for it.
    *
    * @param held how many bytes the cache has
    */
  def grow(size: Int, held: Long): Boolean = {
    val isLengthened = newestBytes < largestChunk && used + size <= largestChunk
    val wanted = math.max(math.max(SmallestChunk, newestBytes + newestBytes / 4), used + size)
    val bytes = if (isLengthened) math.min(largestChunk, wanted / UnitBytes * UnitBytes) else largestChunk
    val more = if (isLengthened) bytes - newestBytes else bytes
    val isGranted = filled.size < mostChunks && heap.reserveForCache(more.toLong, held)
    if (isGranted)
      OnFailure(heap.releaseFromCache(more.toLong)) {
        if (isLengthened && newestBytes > 0) lengthen(bytes) else use(new Array[Byte](bytes))
      }
    isGranted
  }

  /** Starts another chunk, for entries to be moved to: memory or not, it is there. */
  def growForMoves(bytes: Int): Unit = {
    if (spare != null && spare.length != bytes) dropSpare()
    if (spare == null) {
      spare = new Array[Byte](bytes)
      heap.chargeCache(bytes.toLong)
    }
    use(spare)
    spare = null
  }

  /** Takes a chunk out of use. A large one is kept as a spare: it is soon needed again. */
  def retire(number: Int): Unit = {
    dropSpare()
    spare = chunks(number)
    chunkBytes -= spare.length
    chunks(number) = null
    filled -= number
    free += number
    if (spare.length < largestChunk) dropSpare()
  }

  /** Gives the memory of the oldest chunk back. */
  def dropOldest(): Unit = {
    val number = filled.removeHead()
    val bytes = chunks(number).length
    chunks(number) = null
    chunkBytes -= bytes
    if (filled.isEmpty) {
      used = 0
      newestBytes = 0
    }
    heap.releaseFromCache(bytes.toLong)
    free += number
  }

  def dropSpare(): Unit = if (spare != null) {
    heap.releaseFromCache(spare.length.toLong)
    spare = null
  }

  def addressOf(number: Int, at: Int): Int = number << chunkShift | at / UnitBytes

  private def offsetOf(address: Int): Int = (address & ((1 << chunkShift) - 1)) * UnitBytes

  private def added(size: Int): Int = {
    val number = filled.last
    val address = addressOf(number, used)
    used += size
    live(number) += size
    address
  }

  private def lengthen(bytes: Int): Unit = {
    chunks(filled.last) = Arrays.copyOf(chunks(filled.last), bytes)
    chunkBytes += bytes - newestBytes
    newestBytes = bytes
  }

  private def use(chunk: Array[Byte]): Unit = {
    endNewest()
    if (free.isEmpty) {
      val (before, after) = (chunks.length, chunks.length * 2)
      val (longer, longerLive) = (Arrays.copyOf(chunks, after), Arrays.copyOf(live, after)) // or nothing has changed
      chunks = longer
      live = longerLive
      free ++= before until after
    }
    val number = free.removeHead()
    chunks(number) = chunk
    live(number) = 0
    filled += number
    chunkBytes += chunk.length
    used = 0
    newestBytes = chunk.length
  }

  /** Marks where the newest chunk's entries end. */
  private def endNewest(): Unit = if (filled.nonEmpty && used < newestBytes) setHeader(chunks(filled.last), used, 0)
}

private object EntryChunks {

  /** An entry takes this part of a chunk at most. */
  private val LargestShare = 8
  private val LargestChunk = 256 << 10
  private val SmallestChunk = 1 << 10

  /** A power of two; small budgets need small chunks to have several. */
  private def largestChunkFor(totalBytes: Long): Int =
    java.lang.Long
      .highestOneBit(math.max(SmallestChunk.toLong, math.min(LargestChunk.toLong, totalBytes / 16)))
      .toInt
}

package io.rockstate.engine.cache

import java.util.Arrays

import scala.collection.mutable

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeyIndex, KeySource, OrderedRows, SortedKeys, Values, Words}
import io.rockstate.versions.ColumnFamily

/** Rows of one version, as many of them as memory allows: a hash index over entries in chunks. One transaction at a time uses it.
  *
  * Entries are appended to the newest chunk; a value that fits is overwritten in place. The first chunk begins small and grows with its
  * rows: there may be a thousand stores that have no more. A chunk that most entries are gone from is emptied:
  * the others move to a new one. When memory is used up and no chunk is like that, the oldest one makes room: entries that were read since
  * they were written move, up to half a chunk of them, and the others go.
  */
private[engine] final class ReadCache(heap: HeapMemory, startsComplete: Boolean) {
  import ReadCache._

  private val largestChunk = largestChunkFor(heap.totalBytes)
  private val chunkShift = Integer.numberOfTrailingZeros(largestChunk / UnitBytes)
  private val mostChunks = (Int.MaxValue >>> chunkShift) - 1 // addresses are positive: 16 GB
  private var slots = new Array[Long](InitialSlots) // hash in the upper half, address + 1 in the lower; 0 if free
  private var entries = 0
  private var chunks = new Array[Array[Byte]](16)
  private val filled = mutable.ArrayDeque.empty[Int] // numbers of the chunks in use, oldest first
  private val free = mutable.ArrayDeque.from(chunks.indices)
  private var live = new Array[Int](chunks.length) // bytes of a chunk's entries that are in the index
  private var chunkBytes = 0L // of all chunks in use
  private var spare: Array[Byte] = _
  private var used = 0 // of the newest chunk
  private var newestBytes = 0 // its length, 0 if there is none
  private var complete = startsComplete && heap.totalBytes > 0
  private var sorted = Array.empty[SortedFamily]
  private var scanWork = 0L // of scans that the cache could have answered, had it been complete: in rows

  /** Grows whenever entries get other addresses or lose theirs to make room. */
  var moves = 0L

  heap.chargeCache(slots.length * 8L)

  /** Number of rows. */
  def size: Int = entries

  /** Whether it has every row of its version: what is not here does not exist. */
  def isComplete: Boolean = complete

  /** Takes note of how many rows its version has: with as many it is complete. */
  def noteRows(rows: Long): Unit = if (heap.totalBytes > 0 && entries == rows) complete = true

  /** All addresses are below this. */
  def addresses: Long = chunks.length.toLong << chunkShift

  /** Takes note of a scan that went to the database, and of how many rows it returned. */
  def noteScan(rows: Long): Unit = scanWork += SeekRows + rows

  /** Whether scans have cost so much that all rows might have been read for it, and there seems to be room for them. */
  def isWorthFilling(rows: Long): Boolean = !complete && heap.totalBytes > 0 && scanWork >= rows

  /** Takes in what it lacks of the version's rows, in order to be complete; gives up when memory is used up.
    *
    * @param count how many rows the version has
    */
  def fill(rows: OrderedRows, count: Long): Unit = {
    val movesBefore = moves
    while (rows.key != null && moves == movesBefore) {
      val hash = KeyHash.of(rows.key)
      if (find(rows.key, hash) < 0) put(rows.key, hash, rows.value)
      rows.advance()
    }
    noteRows(count)
    scanWork = if (complete) 0 else -RetryFactor * count
  }

  /** The address of the key's entry, or `Nowhere`; good until the next change. */
  def find(key: Array[Byte], hash: Int): Int = find(key, 0, key.length, hash)

  def find(keyBytes: Array[Byte], keyOffset: Int, keyLength: Int, hash: Int): Int = {
    val slot = slotOf(keyBytes, keyOffset, keyLength, hash)
    if (slot < 0) Nowhere else addressIn(slots(slot))
  }

  /** A copy of the entry's value. */
  def value(address: Int): Array[Byte] = {
    val chunk = chunkOf(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    if ((header & Read) == 0) setHeader(chunk, at, header | Read)
    val start = at + HeaderBytes + keyLength(header)
    Arrays.copyOfRange(chunk, start, start + valueLength(header))
  }

  /** Makes the bytes the key's value. */
  def put(key: Array[Byte], hash: Int, value: Array[Byte]): Unit =
    putFound(slotOf(key, 0, key.length, hash), key, 0, key.length, hash, value, 0, value.length)

  /** Makes the bytes the value of the index's key.
    *
    * @param place the key's address, `Nowhere` or `Unknown`
    */
  def put(place: Int, index: KeyIndex, id: Int, bytes: Array[Byte], offset: Int, length: Int): Unit =
    if (place < 0 || !overwrite(place, bytes, offset, length)) {
      val slot = if (place == Nowhere) -1 else slotOf(index, id)
      putFound(slot, index.chunk(id), index.offset(id), index.length(id), index.hash(id), bytes, offset, length)
    }

  /** Appends the bytes to the value of the index's key, if that is known. */
  def append(place: Int, index: KeyIndex, id: Int, operand: Array[Byte]): Unit = {
    val address =
      if (place != Unknown) place else find(index.chunk(id), index.offset(id), index.length(id), index.hash(id))
    if (address >= 0 || complete) {
      val joined = if (address < 0) operand else Values.joined(value(address), operand)
      put(address, index, id, joined, 0, joined.length)
    }
  }

  /** Forgets the index's key: it has no value any more. */
  def remove(place: Int, index: KeyIndex, id: Int): Unit = {
    val slot = if (place == Nowhere) -1 else slotOf(index, id)
    if (slot >= 0) delete(slot)
  }

  /** Forgets everything; it is not complete afterwards. */
  def clear(): Unit = {
    moves += 1
    loseCompleteness()
    while (filled.nonEmpty) dropOldest()
    scanWork = 0
    dropSpare()
    heap.releaseFromCache((slots.length - InitialSlots) * 8L)
    slots = new Array[Long](InitialSlots)
    entries = 0
  }

  /** Gives memory back if other stores need their share of it. */
  def yieldMemory(): Unit = {
    val kept = heap.keepable(allocatedBytes)
    if (allocatedBytes > kept) dropSpare()
    while (filled.nonEmpty && allocatedBytes > kept) {
      forgetChunk(filled.head)
      dropOldest()
    }
  }

  /** Gives all memory back for good. */
  def close(): Unit = {
    clear()
    heap.releaseFromCache(slots.length * 8L)
  }

  /** Addresses and keys. */
  val keys: KeySource = new KeySource {
    override def chunk(address: Int): Array[Byte] = chunkOf(address)
    override def offset(address: Int): Int = offsetOf(address) + HeaderBytes
    override def length(address: Int): Int = keyLength(headerAt(chunkOf(address), offsetOf(address)))
  }

  /** A copy of the entry's key, or null if it is not below `upper`. */
  def keyBelow(address: Int, upper: Array[Byte]): Array[Byte] = {
    val chunk = chunkOf(address)
    val at = offsetOf(address)
    val start = at + HeaderBytes
    val end = start + keyLength(headerAt(chunk, at))
    if (Arrays.compareUnsigned(chunk, start, end, upper, 0, upper.length) < 0) Arrays.copyOfRange(chunk, start, end)
    else null
  }

  /** A column family's entries in key order, as long as the cache is complete; good until the next change. To sort what is there takes half
    * a second for a million rows: the first time only, the order is kept up from then on.
    */
  def sortedKeys(family: Int): SortedKeys = {
    if (!sorted.exists(_.family == family)) sorted :+= new SortedFamily(family)
    sorted.find(_.family == family).get.keys
  }

  private final class SortedFamily(val family: Int) {
    val keys: SortedKeys = SortedKeys.of(ReadCache.this.keys, addressesOf(family))
    private var charged = 0L
    charge()

    def charging(change: SortedKeys => Unit): Unit = {
      change(keys)
      if (keys.allocatedBytes != charged) charge()
    }

    def bytes: Long = charged

    private def charge(): Unit = {
      heap.chargeCache(keys.allocatedBytes - charged)
      charged = keys.allocatedBytes
    }
  }

  private def addressesOf(family: Int): Array[Int] = {
    val found = Array.newBuilder[Int]
    filled.foreach { number =>
      eachLiveEntry(number) { (at, _) =>
        if (ColumnFamily.idAt(chunks(number), at + HeaderBytes) == family) found += addressOf(number, at)
      }
    }
    found.result()
  }

  private def sortedFamilyOf(bytes: Array[Byte], offset: Int): SortedFamily = {
    var found: SortedFamily = null
    var i = 0
    while (i < sorted.length) {
      if (sorted(i).family == ColumnFamily.idAt(bytes, offset)) found = sorted(i)
      i += 1
    }
    found
  }

  private def loseCompleteness(): Unit = {
    complete = false
    heap.chargeCache(-sorted.map(_.bytes).sum)
    sorted = Array.empty
  }

  /** Walks all entries, in no order. Good until the next change. */
  def cursor(): Cursor = new Cursor

  final class Cursor {
    private val numbers = filled.iterator
    private var number = 0
    private var at = 0
    private var end = 0
    private var header = 0L
    endNewest()

    var chunk: Array[Byte] = _

    def next(): Boolean = {
      var isFound = false
      var isOver = false
      while (!isFound && !isOver) {
        at += (if (header == 0) 0 else entryBytes(header))
        header = if (at < end) headerAt(chunk, at) else 0
        if (header != 0) isFound = (header & Live) != 0
        else if (numbers.hasNext) {
          number = numbers.next()
          chunk = chunks(number)
          at = 0
          end = chunk.length
        } else isOver = true
      }
      isFound
    }

    def address: Int = addressOf(number, at)
    def keyOffset: Int = at + HeaderBytes
    def keyLength: Int = ReadCache.keyLength(header)
    def key: Array[Byte] = Arrays.copyOfRange(chunk, keyOffset, keyOffset + keyLength)
    def value: Array[Byte] = {
      val start = keyOffset + keyLength
      Arrays.copyOfRange(chunk, start, start + valueLength(header))
    }
  }

  def allocatedBytes: Long =
    chunkBytes + (if (spare == null) 0 else spare.length) + slots.length * 8L + sorted.map(_.bytes).sum

  private def putFound(
      slot: Int,
      keyBytes: Array[Byte],
      keyOffset: Int,
      keyLength: Int,
      hash: Int,
      valueBytes: Array[Byte],
      valueOffset: Int,
      valueLength: Int
  ): Unit =
    if (slot < 0 || !overwrite(addressIn(slots(slot)), valueBytes, valueOffset, valueLength)) {
      if (slot >= 0) delete(slot)
      val address = append(keyBytes, keyOffset, keyLength, valueBytes, valueOffset, valueLength)
      if (address >= 0) {
        occupy(hash, address)
        val family = if (sorted.isEmpty) null else sortedFamilyOf(keyBytes, keyOffset)
        if (family != null) family.charging(_.add(address))
      } else loseCompleteness()
    }

  private def slotOf(index: KeyIndex, id: Int): Int =
    slotOf(index.chunk(id), index.offset(id), index.length(id), index.hash(id))

  private def slotOf(bytes: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    val mask = slots.length - 1
    var slot = hash & mask
    var found = -1
    while (found < 0 && slots(slot) != 0) {
      if ((slots(slot) >>> 32).toInt == hash && isKey(addressIn(slots(slot)), bytes, offset, length)) found = slot
      slot = (slot + 1) & mask
    }
    found
  }

  private def isKey(address: Int, bytes: Array[Byte], offset: Int, length: Int): Boolean = {
    val chunk = chunkOf(address)
    val at = offsetOf(address)
    val start = at + HeaderBytes
    keyLength(headerAt(chunk, at)) == length &&
    Arrays.equals(chunk, start, start + length, bytes, offset, offset + length)
  }

  /** False if the new value needs another place. */
  private def overwrite(address: Int, bytes: Array[Byte], offset: Int, length: Int): Boolean = {
    val chunk = chunkOf(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    val start = at + HeaderBytes + keyLength(header)
    val fits = start + length <= at + entryBytes(header)
    if (fits) {
      System.arraycopy(bytes, offset, chunk, start, length)
      setHeader(chunk, at, withValueLength(header, length))
    }
    fits
  }

  /** The new entry's address, or -1 if it is too large or there is no memory at all. */
  private def append(
      keyBytes: Array[Byte],
      keyOffset: Int,
      keyLength: Int,
      valueBytes: Array[Byte],
      valueOffset: Int,
      valueLength: Int
  ): Int = {
    val size = (HeaderBytes.toLong + keyLength + valueLength + UnitBytes - 1) / UnitBytes * UnitBytes
    if (size > largestChunk / LargestShare || (used + size > newestBytes && !makeRoom(size.toInt))) -1
    else {
      val chunk = chunks(filled.last)
      val at = used
      setHeader(chunk, at, header(keyLength, valueLength, size.toInt))
      System.arraycopy(keyBytes, keyOffset, chunk, at + HeaderBytes, keyLength)
      System.arraycopy(valueBytes, valueOffset, chunk, at + HeaderBytes + keyLength, valueLength)
      used += size.toInt
      live(filled.last) += size.toInt
      addressOf(filled.last, at)
    }
  }

  /** Makes room for `size` bytes in the newest chunk. Rows that were removed or moved give theirs back before the cache grows. */
  private def makeRoom(size: Int): Boolean = {
    val emptiest = if (filled.isEmpty) -1 else filled.minBy(live(_))
    def isLive(quarters: Int) = emptiest < 0 || live(emptiest) > chunks(emptiest).length / 4 * quarters
    if (!isLive(quarters = 1)) compact(emptiest, size)
    else if (!grow(size) && !isLive(quarters = 3)) compact(emptiest, size)
    else if (used + size > newestBytes && emptiest >= 0) recycleOldest(size)
    used + size <= newestBytes
  }

  /** Lengthens a chunk that has not its full size yet, or starts another one. */
  private def grow(size: Int): Boolean = {
    val isLengthened = newestBytes < largestChunk && used + size <= largestChunk
    val wanted = math.max(math.max(SmallestChunk, newestBytes + newestBytes / 4), used + size)
    val bytes = if (isLengthened) math.min(largestChunk, wanted / UnitBytes * UnitBytes) else largestChunk
    val added = if (isLengthened) bytes - newestBytes else bytes
    val isGranted = filled.size < mostChunks && heap.reserveForCache(added.toLong, allocatedBytes)
    if (isGranted && isLengthened && newestBytes > 0) lengthen(bytes)
    else if (isGranted) use(new Array[Byte](bytes))
    isGranted
  }

  private def lengthen(bytes: Int): Unit = {
    chunks(filled.last) = Arrays.copyOf(chunks(filled.last), bytes)
    chunkBytes += bytes - newestBytes
    newestBytes = bytes
  }

  private def use(chunk: Array[Byte]): Unit = {
    endNewest()
    if (free.isEmpty) {
      free ++= chunks.indices.map(_ + chunks.length)
      chunks = Arrays.copyOf(chunks, chunks.length * 2)
      live = Arrays.copyOf(live, chunks.length)
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

  /** Moves a chunk's entries to a new one that has room for `size` bytes more. */
  private def compact(number: Int, size: Int): Unit = {
    useSpare(math.max(chunks(number).length, live(number) + size))
    eachLiveEntry(number)((at, header) => move(number, at, header))
    retire(number)
  }

  /** Moves those of the oldest chunk's entries that were read since they were written, up to half a chunk; the others go. */
  private def recycleOldest(size: Int): Unit = {
    loseCompleteness()
    val oldest = filled.head
    useSpare(math.max(chunks(oldest).length, size * 2))
    eachLiveEntry(oldest) { (at, header) =>
      if ((header & Read) != 0 && used + entryBytes(header) <= newestBytes / 2) move(oldest, at, header & ~Read)
      else vacate(slotOfEntry(oldest, at, header))
    }
    retire(oldest)
  }

  private def move(number: Int, at: Int, header: Long): Unit = {
    val size = entryBytes(header)
    val target = filled.last
    val address = addressOf(target, used)
    System.arraycopy(chunks(number), at, chunks(target), used, size)
    setHeader(chunks(target), used, header)
    val slot = slotOfEntry(number, at, header)
    slots(slot) = slots(slot) & HashPart | (address + 1L)
    used += size
    live(target) += size
    val family = if (sorted.isEmpty) null else sortedFamilyOf(chunks(number), at + HeaderBytes)
    if (family != null) family.keys.replace(address)
  }

  private def useSpare(bytes: Int): Unit = {
    if (spare != null && spare.length != bytes) dropSpare()
    if (spare == null) {
      spare = new Array[Byte](bytes)
      heap.chargeCache(bytes.toLong)
    }
    use(spare)
    spare = null
  }

  /** Takes a chunk out of use. A large one is kept as a spare: it is soon needed again. */
  private def retire(number: Int): Unit = {
    moves += 1
    dropSpare()
    spare = chunks(number)
    chunkBytes -= spare.length
    chunks(number) = null
    filled -= number
    free += number
    if (spare.length < largestChunk) dropSpare()
  }

  private def forgetChunk(number: Int): Unit = {
    moves += 1
    loseCompleteness()
    eachLiveEntry(number)((at, header) => vacate(slotOfEntry(number, at, header)))
  }

  private def eachLiveEntry(number: Int)(body: (Int, Long) => Unit): Unit = {
    if (number == filled.last) endNewest()
    val chunk = chunks(number)
    var at = 0
    while (at < chunk.length) {
      val header = headerAt(chunk, at)
      if (header == 0) at = chunk.length
      else {
        if ((header & Live) != 0) body(at, header)
        at += entryBytes(header)
      }
    }
  }

  private def dropOldest(): Unit = {
    val number = filled.removeHead()
    val bytes = chunks(number).length
    chunks(number) = null
    free += number
    chunkBytes -= bytes
    heap.releaseFromCache(bytes.toLong)
    if (filled.isEmpty) {
      used = 0
      newestBytes = 0
    }
  }

  private def dropSpare(): Unit = if (spare != null) {
    heap.releaseFromCache(spare.length.toLong)
    spare = null
  }

  private def slotOfEntry(number: Int, at: Int, header: Long): Int = {
    val address = addressOf(number, at)
    val mask = slots.length - 1
    var slot = KeyHash.of(chunks(number), at + HeaderBytes, keyLength(header)) & mask
    while (addressIn(slots(slot)) != address) slot = (slot + 1) & mask
    slot
  }

  private def occupy(hash: Int, address: Int): Unit = {
    if (entries >= slots.length / 3 * 2) growSlots()
    place(slots, hash.toLong << 32 | (address + 1L))
    entries += 1
  }

  private def place(into: Array[Long], entry: Long): Unit = {
    val mask = into.length - 1
    var slot = (entry >>> 32).toInt & mask
    while (into(slot) != 0) slot = (slot + 1) & mask
    into(slot) = entry
  }

  private def growSlots(): Unit = {
    heap.chargeCache(slots.length * 8L)
    val larger = new Array[Long](slots.length * 2)
    slots.foreach(entry => if (entry != 0) place(larger, entry))
    slots = larger
  }

  private def delete(slot: Int): Unit = {
    val address = addressIn(slots(slot))
    val chunk = chunkOf(address)
    val at = offsetOf(address)
    val header = headerAt(chunk, at)
    val family = if (sorted.isEmpty) null else sortedFamilyOf(chunk, at + HeaderBytes)
    if (family != null) family.charging(_.remove(address))
    setHeader(chunk, at, header & ~Live)
    live(address >>> chunkShift) -= entryBytes(header)
    vacate(slot)
  }

  /** Frees a slot and moves up those behind it that would not be found past a gap. */
  private def vacate(slot: Int): Unit = {
    val mask = slots.length - 1
    var gap = slot
    var next = (slot + 1) & mask
    while (slots(next) != 0) {
      val home = (slots(next) >>> 32).toInt & mask
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        slots(gap) = slots(next)
        gap = next
      }
      next = (next + 1) & mask
    }
    slots(gap) = 0
    entries -= 1
  }

  private def addressOf(number: Int, at: Int): Int = number << chunkShift | at / UnitBytes
  private def addressIn(slot: Long): Int = slot.toInt - 1
  private def chunkOf(address: Int): Array[Byte] = chunks(address >>> chunkShift)
  private def offsetOf(address: Int): Int = (address & ((1 << chunkShift) - 1)) * UnitBytes
}

/** An entry is a header word, the key, the value, and room up to the next multiple of eight bytes. The header: 16 bits of key length, 16
  * of value length, 16 of size in units, whether it was read since it was written, whether it is in the index. Zero ends a chunk.
  */
private[engine] object ReadCache {

  /** Instead of an address: the key has no entry; it may have one. */
  val Nowhere: Int = -1
  val Unknown: Int = -2

  /** To seek in a database takes as long as to read so many rows. */
  private val SeekRows = 16

  /** An attempt to fill it that failed is repeated after so many times the work. */
  private val RetryFactor = 8
  val UnitBytes = 8
  val HeaderBytes = 8
  private val InitialSlots = 64
  private val Read = 1L << 48
  private val Live = 1L << 49
  private val HashPart = 0xffffffffL << 32

  /** An entry takes this part of a chunk at most; larger rows are not cached. */
  private val LargestShare = 8
  private val LargestChunk = 256 << 10
  private val SmallestChunk = 1 << 10

  /** A power of two; small budgets need small chunks to have several. */
  private def largestChunkFor(totalBytes: Long): Int =
    java.lang.Long
      .highestOneBit(math.max(SmallestChunk.toLong, math.min(LargestChunk.toLong, totalBytes / 16)))
      .toInt

  private def headerAt(chunk: Array[Byte], at: Int): Long = Words.littleEndian(chunk, at)

  private def setHeader(chunk: Array[Byte], at: Int, header: Long): Unit = Words.setLittleEndian(chunk, at, header)

  private def header(keyLength: Int, valueLength: Int, size: Int): Long =
    keyLength.toLong | valueLength.toLong << 16 | (size / UnitBytes).toLong << 32 | Live

  private def keyLength(header: Long): Int = (header & 0xffff).toInt
  private def valueLength(header: Long): Int = (header >>> 16 & 0xffff).toInt
  private def entryBytes(header: Long): Int = (header >>> 32 & 0xffff).toInt * UnitBytes
  private def withValueLength(header: Long, length: Int): Long = header & ~(0xffffL << 16) | length.toLong << 16
}

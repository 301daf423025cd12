package io.rockstate.engine.cache

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeyIndex, KeySource, OrderedRows, SortedKeys, Values}

/** Rows of one version, as many of them as memory allows: a hash index over entries in chunks. One transaction at a time uses it.
  *
  * Entries are appended to the newest chunk; a value that fits is overwritten in place. A chunk that most entries are gone from is emptied:
  * the others move to a new one. When memory is used up and no chunk is like that, the oldest one makes room: entries that were read since
  * they were written move, up to half a chunk of them, and the others go.
  */
private[engine] final class ReadCache(heap: HeapMemory, startsComplete: Boolean) {
  import ReadCache._

  private val entries = new EntryChunks(heap)
  private val slots = new SlotIndex(entries, heap)
  private val sorted = new SortedFamilies(entries, heap)
  private val incoming = new PackedValue
  private var complete = startsComplete && heap.totalBytes > 0
  private var whole = true
  private var scanWork = 0L // of scans that the cache could have answered, had it been complete: in rows

  /** Grows whenever entries go to make room for others. */
  private var evictions = 0L

  /** Grows whenever entries get other addresses or lose theirs to make room. */
  var moves = 0L

  /** Number of rows. */
  def size: Int = slots.size

  /** Whether it has every row of its version: what is not here does not exist. */
  def isComplete: Boolean = complete

  /** Takes note of how many rows its version has: with as many it is complete. */
  def noteRows(rows: Long): Unit = if (heap.totalBytes > 0 && size == rows) complete = true

  /** All addresses are below this. */
  def addresses: Long = entries.addresses

  def allocatedBytes: Long = entries.allocatedBytes + slots.allocatedBytes + sorted.allocatedBytes

  /** Takes note of a scan that went to the database, and of how many rows it returned. */
  def noteScan(rows: Long): Unit = scanWork += SeekRows + rows

  /** Whether scans have cost so much that all rows might have been read for it, and there seems to be room for them. */
  def isWorthFilling(rows: Long): Boolean = !complete && heap.totalBytes > 0 && scanWork >= rows

  /** Whether a scan that passes all rows of its version may leave them here, as far as is known: there is room for all of them, and it has not
    * been tried in vain of late.
    */
  def mayTakeIn(rows: Long): Boolean =
    !complete && scanWork >= 0 && (rows - size) * LeastRowBytes < heap.roomForCache

  /** Takes note of how many rows are about to be taken in. */
  def expect(rows: Long): Unit = slots.expect(size + rows)

  /** Takes in a row of its version that it may lack, from a scan that passes it. False if others had to make room: enough of that. */
  def takeIn(key: Array[Byte], hash: Int, value: => Array[Byte]): Boolean = {
    val evictionsBefore = evictions
    if (find(key, hash) < 0) {
      val bytes = value
      incoming.set(bytes, 0, bytes.length)
      enter(hash, add(key, 0, key.length))
    }
    evictions == evictionsBefore
  }

  /** Has it not be tried again soon to take in all rows. */
  def giveUpFilling(rows: Long): Unit = scanWork = -RetryFactor * rows

  /** Takes in what it lacks of the version's rows, in order to be complete; gives up when memory is used up.
    *
    * @param count how many rows the version has
    */
  def fill(rows: OrderedRows, count: Long): Unit = {
    slots.expect(count)
    while (rows.key != null && takeIn(rows.key, KeyHash.of(rows.key), rows.value)) rows.advance()
    noteRows(count)
    if (complete) scanWork = 0 else giveUpFilling(count)
  }

  /** The address of the key's entry, or `Nowhere`; good until the next change. */
  def find(key: Array[Byte], hash: Int): Int = find(key, 0, key.length, hash)

  def find(keyBytes: Array[Byte], keyOffset: Int, keyLength: Int, hash: Int): Int = {
    val slot = slots.find(keyBytes, keyOffset, keyLength, hash)
    if (slot < 0) Nowhere else slots.address(slot)
  }

  /** A copy of the entry's value. */
  def value(address: Int): Array[Byte] = entries.value(address)

  /** Addresses and keys. */
  def keys: KeySource = entries

  /** A copy of the entry's key, or null if it is not below `upper`. */
  def keyBelow(address: Int, upper: Array[Byte]): Array[Byte] = entries.keyBelow(address, upper)

  /** A column family's entries in key order, as long as the cache is complete; good until the next change. To sort what is there takes half
    * a second for a million rows: the first time only, the order is kept up from then on.
    */
  def sortedKeys(family: Int): SortedKeys = sorted.keys(family)

  /** Has a column family's entries kept in order from now on. */
  def keepOrder(family: Int): Unit = { sorted.keys(family); () }

  /** Walks all entries, in no order. Good until the next change. */
  def cursor(): EntryCursor = entries.cursor()

  /** Makes the bytes the key's value. */
  def put(key: Array[Byte], hash: Int, value: Array[Byte]): Unit = {
    val slot = slots.find(key, 0, key.length, hash)
    incoming.set(value, 0, value.length)
    if (slot < 0 || !entries.overwrite(slots.address(slot), incoming)) {
      if (slot >= 0) delete(slot)
      enter(hash, add(key, 0, key.length))
    }
  }

  /** Makes the bytes the value of the index's key.
    *
    * @param address the key's address, `Nowhere` or `Unknown`
    */
  def put(address: Int, index: KeyIndex, id: Int, bytes: Array[Byte], offset: Int, length: Int): Unit = {
    incoming.set(bytes, offset, length)
    if (address < 0 || !entries.overwrite(address, incoming))
      putAt(if (address == Nowhere) -1 else slotOf(index, id), index, id)
  }

  /** Appends the bytes to the value of the index's key, if that is known. */
  def append(address: Int, index: KeyIndex, id: Int, operand: Array[Byte]): Unit = {
    val found =
      if (address != Unknown) address else find(index.chunk(id), index.offset(id), index.length(id), index.hash(id))
    if (found >= 0 || complete) {
      val joined = if (found < 0) operand else Values.joined(value(found), operand)
      put(found, index, id, joined, 0, joined.length)
    }
  }

  /** Forgets the index's key: it has no value any more. */
  def remove(address: Int, index: KeyIndex, id: Int): Unit = {
    val slot = if (address == Nowhere) -1 else slotOf(index, id)
    if (slot >= 0) delete(slot)
  }

  /** Whether it can be read; not if the JVM had no memory for an entry and then for `clear`, which makes it whole again. */
  def isWhole: Boolean = whole

  /** Forgets everything; it is not complete afterwards. */
  def clear(): Unit = {
    whole = false
    moves += 1
    loseCompleteness()
    while (!entries.isEmpty) entries.dropOldest()
    entries.dropSpare()
    slots.clear()
    scanWork = 0
    whole = true
  }

  /** Gives memory back if other stores need their share of it, and what the index has for rows that have gone. */
  def yieldMemory(): Unit = {
    slots.trim()
    val kept = heap.keepable(allocatedBytes)
    if (allocatedBytes > kept) entries.dropSpare()
    while (!entries.isEmpty && allocatedBytes > kept) {
      forgetOldest()
      slots.trim()
    }
  }

  /** Gives all memory back for good. */
  def close(): Unit = {
    clear()
    slots.close()
  }

  /** Apart from `put`: that one stays small enough to be compiled into its callers' loops. */
  private def putAt(slot: Int, index: KeyIndex, id: Int): Unit =
    if (slot < 0 || !entries.overwrite(slots.address(slot), incoming)) {
      if (slot >= 0) delete(slot)
      enter(index.hash(id), add(index.chunk(id), index.offset(id), index.length(id)))
    }

  private def slotOf(index: KeyIndex, id: Int): Int =
    slots.find(index.chunk(id), index.offset(id), index.length(id), index.hash(id))

  /** The address of the new entry, with the incoming value, or -1 if it is too large or there is no memory at all. */
  private def add(keyBytes: Array[Byte], keyOffset: Int, keyLength: Int): Int = {
    val size = Entry.size(keyLength, incoming.storedLength)
    val isTaken = entries.takes(size) && incoming.length <= Entry.MostBytes
    if (!isTaken || (!entries.hasRoom(size) && !makeRoom(size.toInt))) -1
    else entries.append(keyBytes, keyOffset, keyLength, incoming)
  }

  /** Makes a new entry one of the rows. Should the JVM lack the memory for that, nothing stays: half an entry would be a wrong row. */
  private def enter(hash: Int, address: Int): Unit =
    if (address >= 0) {
      try {
        slots.add(hash, address)
        sorted.add(address)
      } catch {
        case e: Throwable =>
          whole = false
          clear()
          throw e
      }
    } else loseCompleteness()

  private def delete(slot: Int): Unit = {
    val address = slots.address(slot)
    sorted.remove(address)
    entries.remove(address)
    slots.remove(slot)
  }

  /** Makes room for `size` bytes in the newest chunk. Rows that were removed or moved give theirs back before the cache grows. */
  private def makeRoom(size: Int): Boolean = {
    val emptiest = entries.emptiest
    def isLive(quarters: Int) =
      emptiest < 0 || entries.liveBytes(emptiest) > entries.bytes(emptiest).length / 4 * quarters
    if (!isLive(quarters = 1)) compact(emptiest, size)
    else if (!entries.grow(size, allocatedBytes) && !isLive(quarters = 3)) compact(emptiest, size)
    else if (!entries.hasRoom(size) && emptiest >= 0) recycleOldest(size)
    entries.hasRoom(size)
  }

  /** Moves a chunk's entries to a new one that has room for `size` bytes more. */
  private def compact(number: Int, size: Int): Unit = {
    entries.growForMoves(math.max(entries.bytes(number).length, entries.liveBytes(number) + size))
    entries.foreachIn(number)(address => moved(address, entries.move(address)))
    retire(number)
  }

  /** Moves those of the oldest chunk's entries that were read since they were written, up to half a chunk; the others go. */
  private def recycleOldest(size: Int): Unit = {
    evictions += 1
    loseCompleteness()
    val oldest = entries.oldest
    entries.growForMoves(math.max(entries.bytes(oldest).length, size * 2))
    entries.foreachIn(oldest) { address =>
      val target = if (entries.isRead(address)) entries.moveToHalf(address) else -1
      if (target >= 0) moved(address, target) else forget(address)
    }
    retire(oldest)
  }

  private def retire(number: Int): Unit = {
    moves += 1
    entries.retire(number)
  }

  private def forgetOldest(): Unit = {
    evictions += 1
    moves += 1
    loseCompleteness()
    entries.foreachIn(entries.oldest)(forget)
    entries.dropOldest()
  }

  private def moved(address: Int, target: Int): Unit = {
    slots.replace(slots.slotOf(address, entries.hash(address)), target)
    sorted.replace(target)
  }

  private def forget(address: Int): Unit = slots.remove(slots.slotOf(address, entries.hash(address)))

  private def loseCompleteness(): Unit = {
    complete = false
    sorted.clear()
  }
}

private[engine] object ReadCache {

  /** Instead of an address: the key has no entry; it may have one. */
  val Nowhere: Int = -1
  val Unknown: Int = -2

  /** To seek in a database takes as long as to read so many rows. */
  private val SeekRows = 16

  /** The least that a row takes, with its place in the index. */
  private val LeastRowBytes = 24

  /** An attempt to fill it that failed is repeated after so many times the work. */
  private val RetryFactor = 8
}

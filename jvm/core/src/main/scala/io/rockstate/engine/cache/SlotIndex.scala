package io.rockstate.engine.cache

import io.rockstate.engine.memory.HeapMemory

/** The addresses of entries by the hashes of their keys: an open-addressing table. Slots are searched one after the other from the hash's
  * own on, and nothing that is found has a gap before it. A slot is good until the next change. Not thread-safe.
  *
  * Slots are in the order of their hashes, so that the table can have any size, and grows by half: twice as many would be two free slots of
  * three just after it.
  */
private[cache] final class SlotIndex(entries: EntryChunks, heap: HeapMemory) {
  import SlotIndex._

  private var slots = new Array[Long](InitialSlots) // hash in the upper half, address + 1 in the lower; 0 if free
  private var count = 0
  private var expected = 0L

  heap.chargeCache(allocatedBytes)

  /** Number of entries. */
  def size: Int = count

  def allocatedBytes: Long = slots.length * 8L

  /** How many entries there will be, as far as is known: once there are some thousands, it grows to the room for all at once. */
  def expect(entries: Long): Unit = expected = entries

  /** The slot of the key in these bytes, or -1. */
  def find(bytes: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    val slots = this.slots
    var slot = home(hash, slots.length)
    var entry = slots(slot)
    while (entry != 0 && !(hashIn(entry) == hash && entries.isKey(addressIn(entry), bytes, offset, length))) {
      slot += 1
      if (slot == slots.length) slot = 0
      entry = slots(slot)
    }
    if (entry == 0) -1 else slot
  }

  /** The slot of the entry at this address, which must be there. */
  def slotOf(address: Int, hash: Int): Int = {
    var slot = home(hash, slots.length)
    while (addressIn(slots(slot)) != address) {
      if (slots(slot) == 0) throw new IllegalStateException(s"No entry at $address is in the index")
      slot = after(slot)
    }
    slot
  }

  def address(slot: Int): Int = addressIn(slots(slot))

  /** Adds an entry whose key is not there yet. */
  def add(hash: Int, address: Int): Unit = {
    if (count >= slots.length / 5 * 4) grow()
    put(hash.toLong << 32 | (address + 1L), slots)
    count += 1
  }

  /** The slot's entry is at another address now. */
  def replace(slot: Int, address: Int): Unit = slots(slot) = slots(slot) & HashPart | (address + 1L)

  /** Frees a slot and moves up those behind it that would not be found past a gap. */
  def remove(slot: Int): Unit = {
    var gap = slot
    var next = after(slot)
    while (slots(next) != 0) {
      if (distance(home(hashIn(slots(next)), slots.length), next) >= distance(gap, next)) {
        slots(gap) = slots(next)
        gap = next
      }
      next = after(next)
    }
    slots(gap) = 0
    count -= 1
  }

  /** Forgets all entries, and gives back what it has grown by. */
  def clear(): Unit = {
    val empty = new Array[Long](InitialSlots) // or nothing is given back
    heap.releaseFromCache((slots.length - InitialSlots) * 8L)
    expected = 0
    slots = empty
    count = 0
  }

  /** Gives back what it has for entries that have gone, once it has four slots for each that is left. */
  def trim(): Unit = {
    val fitting = math.max(InitialSlots, count * 2)
    if (fitting < slots.length / 2) resize(fitting)
  }

  /** Gives all memory back for good. */
  def close(): Unit = {
    clear()
    heap.releaseFromCache(allocatedBytes)
  }

  private def put(entry: Long, slots: Array[Long]): Unit = {
    var slot = home(hashIn(entry), slots.length)
    while (slots(slot) != 0) slot = after(slot, slots)
    slots(slot) = entry
  }

  private def grow(): Unit = {
    val byHalf = slots.length / 2 * 3
    val forAll = if (count < FewEntries) 0 else expected / 4 * 5 + FewEntries
    val isRoom = forAll < Int.MaxValue / 2 && (forAll - slots.length) * 8 < heap.roomForCache
    resize(if (byHalf < forAll && isRoom) forAll.toInt else byHalf)
  }

  private def resize(length: Int): Unit = {
    val resized = new Array[Long](length)
    heap.chargeCache((resized.length - slots.length) * 8L)
    slots.foreach(entry => if (entry != 0) put(entry, resized))
    slots = resized
  }

  private def after(slot: Int): Int = after(slot, slots)

  private def after(slot: Int, slots: Array[Long]): Int = if (slot + 1 == slots.length) 0 else slot + 1

  /** How many slots on from one to the other. */
  private def distance(from: Int, to: Int): Int = if (to >= from) to - from else to - from + slots.length

  private def hashIn(entry: Long): Int = (entry >>> 32).toInt
  private def addressIn(entry: Long): Int = entry.toInt - 1
}

private object SlotIndex {
  private val InitialSlots = 64
  private val FewEntries = 16 << 10
  private final val HashPart = 0xffffffffL << 32

  /** The hash's own slot of so many. */
  private def home(hash: Int, slots: Int): Int = ((hash & 0xffffffffL) * slots >>> 32).toInt
}

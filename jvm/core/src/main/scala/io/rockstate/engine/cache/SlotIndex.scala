package io.rockstate.engine.cache

import io.rockstate.engine.memory.HeapMemory

/** The addresses of entries by the hashes of their keys: an open-addressing table. Slots are searched one after the other from the hash's
  * own on, and nothing that is found has a gap before it. A slot is good until the next change. Not thread-safe.
  */
private[cache] final class SlotIndex(entries: EntryChunks, heap: HeapMemory) {
  import SlotIndex._

  private var slots = new Array[Long](InitialSlots) // hash in the upper half, address + 1 in the lower; 0 if free
  private var count = 0

  heap.chargeCache(allocatedBytes)

  /** Number of entries. */
  def size: Int = count

  def allocatedBytes: Long = slots.length * 8L

  /** The slot of the key in these bytes, or -1. */
  def find(bytes: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    val slots = this.slots
    val mask = slots.length - 1
    var slot = hash & mask
    var entry = slots(slot)
    while (entry != 0 && !(hashIn(entry) == hash && entries.isKey(addressIn(entry), bytes, offset, length))) {
      slot = (slot + 1) & mask
      entry = slots(slot)
    }
    if (entry == 0) -1 else slot
  }

  /** The slot of the entry at this address, which must be there. */
  def slotOf(address: Int, hash: Int): Int = {
    val mask = slots.length - 1
    var slot = hash & mask
    while (addressIn(slots(slot)) != address) slot = (slot + 1) & mask
    slot
  }

  def address(slot: Int): Int = addressIn(slots(slot))

  /** Adds an entry whose key is not there yet. */
  def add(hash: Int, address: Int): Unit = {
    if (count >= slots.length / 3 * 2) grow()
    put(slots, hash.toLong << 32 | (address + 1L))
    count += 1
  }

  /** The slot's entry is at another address now. */
  def replace(slot: Int, address: Int): Unit = slots(slot) = slots(slot) & HashPart | (address + 1L)

  /** Frees a slot and moves up those behind it that would not be found past a gap. */
  def remove(slot: Int): Unit = {
    val mask = slots.length - 1
    var gap = slot
    var next = (slot + 1) & mask
    while (slots(next) != 0) {
      val home = hashIn(slots(next)) & mask
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        slots(gap) = slots(next)
        gap = next
      }
      next = (next + 1) & mask
    }
    slots(gap) = 0
    count -= 1
  }

  /** Forgets all entries, and gives back what it has grown by. */
  def clear(): Unit = {
    heap.releaseFromCache((slots.length - InitialSlots) * 8L)
    slots = new Array[Long](InitialSlots)
    count = 0
  }

  /** Gives all memory back for good. */
  def close(): Unit = {
    clear()
    heap.releaseFromCache(allocatedBytes)
  }

  private def put(into: Array[Long], entry: Long): Unit = {
    val mask = into.length - 1
    var slot = hashIn(entry) & mask
    while (into(slot) != 0) slot = (slot + 1) & mask
    into(slot) = entry
  }

  private def grow(): Unit = {
    heap.chargeCache(slots.length * 8L)
    val larger = new Array[Long](slots.length * 2)
    slots.foreach(entry => if (entry != 0) put(larger, entry))
    slots = larger
  }

  private def hashIn(entry: Long): Int = (entry >>> 32).toInt
  private def addressIn(entry: Long): Int = entry.toInt - 1
}

private object SlotIndex {
  private val InitialSlots = 64
  private final val HashPart = 0xffffffffL << 32
}

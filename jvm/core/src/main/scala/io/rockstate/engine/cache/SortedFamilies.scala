package io.rockstate.engine.cache

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.SortedKeys
import io.rockstate.versions.ColumnFamily

/** The entries of some column families in key order: of those that somebody asked for, and from then on kept up. Not thread-safe. */
private[cache] final class SortedFamilies(entries: EntryChunks, heap: HeapMemory) {
  private var families = Array.empty[Family]

  /** Of all entries, those of a family. To sort what is there takes half a second for a million: the first time only. */
  def keys(id: Int): SortedKeys = {
    if (!families.exists(_.id == id)) families :+= new Family(id)
    families.find(_.id == id).get.keys
  }

  /** Takes note of a new entry. */
  def add(address: Int): Unit = {
    val family = familyOf(address)
    if (family != null) {
      family.keys.add(address)
      family.charge()
    }
  }

  /** Takes note that an entry is about to go: its key is still there. */
  def remove(address: Int): Unit = {
    val family = familyOf(address)
    if (family != null) {
      family.keys.remove(address)
      family.charge()
    }
  }

  /** The entry with this one's key is at this address now; the key is still there at the other one. */
  def replace(address: Int): Unit = {
    val family = familyOf(address)
    if (family != null) family.keys.replace(address)
  }

  /** Keeps no order any more. */
  def clear(): Unit = {
    val held = allocatedBytes
    families = Array.empty
    heap.chargeCache(-held)
  }

  def allocatedBytes: Long = families.map(_.charged).sum

  /** The family that the entry's key begins with, or null if its order is not kept. */
  private def familyOf(address: Int): Family =
    if (families.length == 0) null else find(ColumnFamily.idAt(entries.chunk(address), entries.offset(address)))

  private def find(id: Int): Family = {
    var found: Family = null
    var i = 0
    while (i < families.length) {
      if (families(i).id == id) found = families(i)
      i += 1
    }
    found
  }

  private def addressesOf(id: Int): Array[Int] = {
    val found = Array.newBuilder[Int]
    val cursor = entries.cursor()
    while (cursor.next()) if (ColumnFamily.idAt(cursor.chunk, cursor.keyOffset) == id) found += cursor.address
    found.result()
  }

  private final class Family(val id: Int) {
    val keys: SortedKeys = SortedKeys.of(entries, addressesOf(id))
    var charged = 0L // bytes of the heap's memory
    charge()

    def charge(): Unit = if (keys.allocatedBytes != charged) {
      heap.chargeCache(keys.allocatedBytes - charged)
      charged = keys.allocatedBytes
    }
  }
}

package io.rockstate.engine.records

import java.util.Arrays

import io.rockstate.versions.ColumnFamily

/** Keys with dense ids: an open-addressing hash index over key bytes held in chunks. */
private[engine] final class KeyIndex extends KeySource {
  private var slots = new Array[Int](KeyIndex.InitialSlots) // id + 1, or 0 for an empty slot
  private var hashes = new Array[Int](KeyIndex.InitialSlots / 2)
  private var keyChunks = new Array[Array[Byte]](KeyIndex.InitialSlots / 2)
  private var keyOffsets = new Array[Int](KeyIndex.InitialSlots / 2)
  private var keyLengths = new Array[Int](KeyIndex.InitialSlots / 2)
  private var count = 0

  /** Number of keys; ids run from 0 to `size - 1`. */
  def size: Int = count

  /** The id of the key in these bytes, whose hash is `hash`; -1 if it is not there. */
  def find(bytes: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    val mask = slots.length - 1
    var slot = hash & mask
    var found = -1
    while (found < 0 && slots(slot) != 0) {
      val id = slots(slot) - 1
      if (hashes(id) == hash && isKey(id, bytes, offset, length)) found = id
      slot = (slot + 1) & mask
    }
    found
  }

  /** Adds a key that is not there yet; its bytes stay in `chunk`, where nobody changes them any more. */
  def add(chunk: Array[Byte], offset: Int, length: Int, hash: Int): Int = {
    if (count == hashes.length) grow()
    val id = count
    hashes(id) = hash
    keyChunks(id) = chunk
    keyOffsets(id) = offset
    keyLengths(id) = length
    count += 1
    occupy(id)
    id
  }

  override def chunk(id: Int): Array[Byte] = keyChunks(id)
  override def offset(id: Int): Int = keyOffsets(id)
  override def length(id: Int): Int = keyLengths(id)
  def hash(id: Int): Int = hashes(id)

  /** The column family's id that the key starts with. */
  def family(id: Int): Int = ColumnFamily.idAt(keyChunks(id), keyOffsets(id))

  def allocatedBytes: Long = slots.length * 4L + hashes.length * 20L

  private def isKey(id: Int, bytes: Array[Byte], from: Int, length: Int): Boolean = {
    val offset = keyOffsets(id)
    Arrays.equals(keyChunks(id), offset, offset + keyLengths(id), bytes, from, from + length)
  }

  private def occupy(id: Int): Unit = {
    val mask = slots.length - 1
    var slot = hashes(id) & mask
    while (slots(slot) != 0) slot = (slot + 1) & mask
    slots(slot) = id + 1
  }

  private def grow(): Unit = {
    val capacity = hashes.length * 2
    val (moreSlots, moreHashes) = (new Array[Int](capacity * 2), Arrays.copyOf(hashes, capacity))
    val (moreChunks, moreOffsets) = (Arrays.copyOf(keyChunks, capacity), Arrays.copyOf(keyOffsets, capacity))
    val moreLengths = Arrays.copyOf(keyLengths, capacity)
    // All of them are there: memory that runs out leaves the index as it was.
    slots = moreSlots
    hashes = moreHashes
    keyChunks = moreChunks
    keyOffsets = moreOffsets
    keyLengths = moreLengths
    var id = 0
    while (id < count) {
      occupy(id)
      id += 1
    }
  }
}

private object KeyIndex {

  /** A power of two; half as many keys fit before the first growth. */
  val InitialSlots = 256
}

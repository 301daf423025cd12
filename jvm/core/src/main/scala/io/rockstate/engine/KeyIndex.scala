package io.rockstate.engine

import java.lang.invoke.MethodHandles
import java.nio.ByteOrder
import java.util.Arrays

/** The keys that a transaction has touched, each with a dense id: an open-addressing hash index over key bytes held in chunks. */
private[engine] final class KeyIndex {
  private var slots = new Array[Int](KeyIndex.InitialSlots) // id + 1, or 0 for an empty slot
  private var hashes = new Array[Int](KeyIndex.InitialSlots / 2)
  private var keyChunks = new Array[Array[Byte]](KeyIndex.InitialSlots / 2)
  private var keyOffsets = new Array[Int](KeyIndex.InitialSlots / 2)
  private var keyLengths = new Array[Int](KeyIndex.InitialSlots / 2)
  private var count = 0

  /** Number of keys; ids run from 0 to `size - 1`. */
  def size: Int = count

  /** The key's id, or -1. */
  def find(key: Array[Byte]): Int = find(key, KeyIndex.hash(key))

  private def find(key: Array[Byte], hash: Int): Int = {
    val mask = slots.length - 1
    var slot = hash & mask
    var found = -1
    while (found < 0 && slots(slot) != 0) {
      val id = slots(slot) - 1
      if (hashes(id) == hash && isKey(id, key)) found = id
      slot = (slot + 1) & mask
    }
    found
  }

  /** Adds a key that is not there yet; its bytes stay in `chunk`, where nobody changes them any more. */
  def add(key: Array[Byte], chunk: Array[Byte], offset: Int): Int = {
    if (count == hashes.length) grow()
    val id = count
    hashes(id) = KeyIndex.hash(key)
    keyChunks(id) = chunk
    keyOffsets(id) = offset
    keyLengths(id) = key.length
    count += 1
    occupy(id)
    id
  }

  def key(id: Int): Array[Byte] =
    Arrays.copyOfRange(keyChunks(id), keyOffsets(id), keyOffsets(id) + keyLengths(id))

  /** Unsigned byte order of two ids' keys. */
  def compare(a: Int, b: Int): Int =
    Arrays.compareUnsigned(
      keyChunks(a),
      keyOffsets(a),
      keyOffsets(a) + keyLengths(a),
      keyChunks(b),
      keyOffsets(b),
      keyOffsets(b) + keyLengths(b)
    )

  /** The column family's id that the key starts with. */
  def family(id: Int): Int = {
    val chunk = keyChunks(id)
    val offset = keyOffsets(id)
    (chunk(offset) & 0xff) << 8 | (chunk(offset + 1) & 0xff)
  }

  def allocatedBytes: Long = slots.length * 4L + hashes.length * 20L

  private def isKey(id: Int, key: Array[Byte]): Boolean = {
    val offset = keyOffsets(id)
    Arrays.equals(keyChunks(id), offset, offset + keyLengths(id), key, 0, key.length)
  }

  private def occupy(id: Int): Unit = {
    val mask = slots.length - 1
    var slot = hashes(id) & mask
    while (slots(slot) != 0) slot = (slot + 1) & mask
    slots(slot) = id + 1
  }

  private def grow(): Unit = {
    val capacity = hashes.length * 2
    hashes = Arrays.copyOf(hashes, capacity)
    keyChunks = Arrays.copyOf(keyChunks, capacity)
    keyOffsets = Arrays.copyOf(keyOffsets, capacity)
    keyLengths = Arrays.copyOf(keyLengths, capacity)
    slots = new Array[Int](capacity * 2)
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

  private val words = MethodHandles.byteArrayViewVarHandle(classOf[Array[Long]], ByteOrder.LITTLE_ENDIAN)

  /** Mixes whole words; never leaves the JVM, so it may change at any time. */
  def hash(key: Array[Byte]): Int = {
    var mixed = key.length * 0x9e3779b97f4a7c15L
    var i = 0
    while (i + 8 <= key.length) {
      val word: Long = words.get(key, i)
      mixed = java.lang.Long.rotateLeft((mixed ^ word) * 0xff51afd7ed558ccdL, 31)
      i += 8
    }
    while (i < key.length) {
      mixed = (mixed ^ (key(i) & 0xff)) * 0xc4ceb9fe1a85ec53L
      i += 1
    }
    mixed ^= mixed >>> 29
    mixed *= 0xbf58476d1ce4e5b9L
    (mixed ^ mixed >>> 32).toInt
  }
}

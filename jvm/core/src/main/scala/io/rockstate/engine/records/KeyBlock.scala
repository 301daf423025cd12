package io.rockstate.engine.records

import java.util.Arrays

/** Up to `KeyBlock.Ids` ids in the order of their keys. Beside each id are the first eight bytes of its key behind what all keys here begin
  * with: a search compares those, and reads of the keys themselves hardly more than one.
  */
private[engine] final class KeyBlock(keys: KeySource) {
  val ids = new Array[Int](KeyBlock.Ids)
  private val words = new Array[Long](KeyBlock.Ids)
  private var prefix: Array[Byte] = _ // all keys begin with it; null while there are none
  private var size = 0

  def count: Int = size

  /** The first position whose key is not below the given one. */
  def position(bytes: Array[Byte], offset: Int, length: Int): Int = {
    val common = if (size == 0) 0 else prefix.length
    val order =
      if (size == 0) 1
      else Arrays.compareUnsigned(prefix, 0, common, bytes, offset, offset + math.min(common, length))
    if (order > 0) 0 else if (order < 0) size else positionBehindPrefix(bytes, offset, length)
  }

  /** The position of the id that has the key of `id`. */
  def positionOf(id: Int): Int = {
    val at = position(keys.chunk(id), keys.offset(id), keys.length(id))
    if (at == size || keys.compare(ids(at), id) != 0)
      throw new IllegalStateException(s"the key of $id is not in the index")
    at
  }

  /** Whether all keys here are below that of `id`, if there are any. */
  def isBelow(id: Int): Boolean = size > 0 && keys.compare(ids(size - 1), id) < 0

  def insert(at: Int, id: Int): Unit = {
    val word = wordOf(id)
    System.arraycopy(ids, at, ids, at + 1, size - at)
    System.arraycopy(words, at, words, at + 1, size - at)
    ids(at) = id
    words(at) = word
    size += 1
  }

  def remove(at: Int): Unit = {
    size -= 1
    System.arraycopy(ids, at + 1, ids, at, size - at)
    System.arraycopy(words, at + 1, words, at, size - at)
  }

  /** Adds ids whose keys are behind those that are here. */
  def append(more: Array[Int]): Unit = more.foreach(id => insert(size, id))

  /** Moves the ids of the block after this one here, from position `from` on. */
  def takeFrom(next: KeyBlock, from: Int): Unit = {
    append(Arrays.copyOfRange(next.ids, from, next.size))
    next.size = from
    if (from > 0) next.adapt(keys.key(next.ids(0)))
  }

  private def positionBehindPrefix(bytes: Array[Byte], offset: Int, length: Int): Int = {
    val word = Words.at(bytes, offset + prefix.length, offset + length)
    var low = 0
    var high = size
    while (low < high) {
      val middle = (low + high) >>> 1
      val order = java.lang.Long.compareUnsigned(words(middle), word)
      if (order < 0 || (order == 0 && keys.compare(ids(middle), bytes, offset, length) < 0)) low = middle + 1
      else high = middle
    }
    low
  }

  /** The word of a key that is to come here, for which all words may have to change. */
  private def wordOf(id: Int): Long = {
    val chunk = keys.chunk(id)
    val offset = keys.offset(id)
    val end = offset + keys.length(id)
    if (size == 0) prefix = Arrays.copyOfRange(chunk, offset, end)
    else {
      val differs = Arrays.mismatch(prefix, 0, prefix.length, chunk, offset, end)
      if (differs >= 0 && differs < prefix.length) adapt(Arrays.copyOf(prefix, differs))
    }
    Words.at(chunk, offset + prefix.length, end)
  }

  /** Finds the prefix and all words anew.
    *
    * @param longest bytes that the keys may have in common at most
    */
  private def adapt(longest: Array[Byte]): Unit = {
    val common = math.min(commonWith(longest, ids(0)), commonWith(longest, ids(size - 1)))
    prefix = Arrays.copyOf(longest, common)
    var i = 0
    while (i < size) {
      val id = ids(i)
      words(i) = Words.at(keys.chunk(id), keys.offset(id) + common, keys.offset(id) + keys.length(id))
      i += 1
    }
  }

  private def commonWith(bytes: Array[Byte], id: Int): Int = {
    val offset = keys.offset(id)
    val differs = Arrays.mismatch(bytes, 0, bytes.length, keys.chunk(id), offset, offset + keys.length(id))
    if (differs < 0) bytes.length else differs
  }
}

private[engine] object KeyBlock {
  val Ids = 256

  /** Memory of one, without its prefix. */
  val Bytes: Long = Ids * 12L + 64
}

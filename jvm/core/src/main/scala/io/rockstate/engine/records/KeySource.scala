package io.rockstate.engine.records

import java.util.Arrays

/** Keys by their ids: where they are in byte arrays. */
private[engine] trait KeySource {
  def chunk(id: Int): Array[Byte]
  def offset(id: Int): Int
  def length(id: Int): Int

  /** A copy of the key. */
  final def key(id: Int): Array[Byte] = Arrays.copyOfRange(chunk(id), offset(id), offset(id) + length(id))

  /** Unsigned byte order of two ids' keys. */
  final def compare(a: Int, b: Int): Int = compare(a, chunk(b), offset(b), length(b))

  /** Unsigned byte order of an id's key and the one in these bytes. */
  final def compare(id: Int, bytes: Array[Byte], from: Int, length: Int): Int = {
    val start = offset(id)
    Arrays.compareUnsigned(chunk(id), start, start + this.length(id), bytes, from, from + length)
  }

  final def compare(id: Int, key: Array[Byte]): Int = compare(id, key, 0, key.length)
}

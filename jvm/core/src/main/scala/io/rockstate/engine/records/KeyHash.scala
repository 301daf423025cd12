package io.rockstate.engine.records

import java.security.SecureRandom

/** The hash by which keys are found in the JVM. It never leaves the process, and is another one in each: nobody can choose keys that all have
  * the same.
  */
private[engine] object KeyHash {
  private val seed = new SecureRandom().nextLong()

  def of(key: Array[Byte]): Int = of(key, 0, key.length)

  /** Mixes whole words: a key has a few of them. */
  def of(bytes: Array[Byte], from: Int, length: Int): Int = {
    val end = from + length
    var mixed = seed ^ length * 0x9e3779b97f4a7c15L
    var i = from
    while (i + 8 <= end) {
      mixed = java.lang.Long.rotateLeft((mixed ^ Words.littleEndian(bytes, i)) * 0xff51afd7ed558ccdL, 31)
      i += 8
    }
    while (i < end) {
      mixed = (mixed ^ (bytes(i) & 0xff)) * 0xc4ceb9fe1a85ec53L
      i += 1
    }
    mixed ^= mixed >>> 29
    mixed *= 0xbf58476d1ce4e5b9L
    (mixed ^ mixed >>> 32).toInt
  }
}

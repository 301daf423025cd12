package io.rockstate.format

/** A copy with one bit changed. */
object FlippedBit {
  def apply(bytes: Array[Byte], bit: Int): Array[Byte] = {
    val flipped = bytes.clone()
    flipped(bit / 8) = (flipped(bit / 8) ^ (1 << (bit % 8))).toByte
    flipped
  }
}

package io.rockstate.engine

import scala.collection.mutable.ArrayBuffer

/** Append-only byte storage in chunks; what was appended never moves.
  *
  * An address is the chunk's index (upper 32 bits) and the offset in it (lower 32 bits).
  */
private[engine] final class Chunks(chunkBytes: Int) {
  private val chunks = ArrayBuffer.empty[Array[Byte]]
  private var used = 0
  private var allocated = 0L

  /** Whether `size` more bytes go into the current chunk. */
  def hasRoom(size: Int): Boolean = chunks.nonEmpty && chunks.last.length - used >= size

  /** The address at which the next `size` bytes go; the caller writes them through `chunk` and `offset`. */
  def reserve(size: Int): Long = {
    if (!hasRoom(size)) {
      val capacity = math.max(chunkBytes, size)
      chunks += new Array[Byte](capacity)
      allocated += capacity
      used = 0
    }
    val address = (chunks.size - 1L) << 32 | used
    used += size
    address
  }

  def chunk(address: Long): Array[Byte] = chunks((address >>> 32).toInt)

  def offset(address: Long): Int = address.toInt

  def isEmpty: Boolean = chunks.isEmpty

  /** The chunk being filled and how many of its bytes are taken. */
  def current: (Array[Byte], Int) = (chunks.last, used)

  def allocatedBytes: Long = allocated
}

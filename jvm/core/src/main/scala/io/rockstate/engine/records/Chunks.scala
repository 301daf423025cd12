package io.rockstate.engine.records

import scala.collection.mutable.ArrayBuffer

/** Append-only byte storage in chunks. The first chunk begins small and grows: then the bytes go to a longer array, and who holds the
  * shorter one still has what he found there.
  *
  * A place is the chunk's index (upper 32 bits) and the offset in it (lower 32 bits); it stays good.
  */
private[engine] final class Chunks(chunkBytes: Int) {
  private val chunks = ArrayBuffer.empty[Array[Byte]]
  private var used = 0
  private var allocated = 0L

  /** Whether `size` more bytes go into the current chunk. */
  def hasRoom(size: Int): Boolean = chunks.nonEmpty && math.max(chunkBytes, chunks.last.length) - used >= size

  /** The place at which the next `size` bytes go; the caller writes them through `chunk` and `offset`. */
  def reserve(size: Int): Long = {
    if (!hasRoom(size)) {
      chunks += allocate(if (chunks.isEmpty) math.min(Chunks.InitialBytes, chunkBytes) else chunkBytes, size)
      used = 0
    } else if (chunks.last.length - used < size) {
      val longer = allocate(math.min(chunkBytes, chunks.last.length * 2), used + size)
      System.arraycopy(chunks.last, 0, longer, 0, used)
      chunks(chunks.size - 1) = longer
    }
    val place = (chunks.size - 1L) << 32 | used
    used += size
    place
  }

  def chunk(place: Long): Array[Byte] = chunks((place >>> 32).toInt)

  def offset(place: Long): Int = place.toInt

  def isEmpty: Boolean = chunks.isEmpty

  /** The chunk being filled and how many of its bytes are taken. */
  def current: (Array[Byte], Int) = (chunks.last, used)

  /** Of all arrays, also those that were too short. */
  def allocatedBytes: Long = allocated

  private def allocate(atLeast: Int, needed: Int): Array[Byte] = {
    val bytes = new Array[Byte](math.max(atLeast, needed))
    allocated += bytes.length
    bytes
  }
}

private object Chunks {
  private val InitialBytes = 4 << 10
}

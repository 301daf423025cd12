package io.rockstate.engine.cache

/** A value on its way into the cache, as it is to lie there: packed where that makes it shorter. One after the other is set. Not thread-safe.
  *
  * A row of three small numbers takes 13 bytes instead of 32 (docs/decisions, 39).
  */
private[cache] final class PackedValue {
  private var packed = new Array[Byte](64)

  /** Length of the value itself. */
  var length: Int = 0

  /** What lies in the cache: these bytes from `offset` on. */
  var bytes: Array[Byte] = packed
  var offset: Int = 0
  var storedLength: Int = 0

  def isPacked: Boolean = bytes eq packed

  def set(value: Array[Byte], offset: Int, length: Int): this.type = {
    this.length = length
    if (length <= Entry.MostBytes) {
      val room = PackedWords.roomFor(length)
      if (packed.length < room) packed = new Array[Byte](room)
      lie(packed, 0, PackedWords.pack(value, offset, length, packed))
    }
    if (length > Entry.MostBytes || storedLength >= length) lie(value, offset, length)
    this
  }

  private def lie(in: Array[Byte], at: Int, count: Int): Unit = {
    bytes = in
    offset = at
    storedLength = count
  }
}

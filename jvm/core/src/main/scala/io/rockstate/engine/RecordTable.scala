package io.rockstate.engine

import java.util.Arrays

/** The write records of a transaction in the order of writing, as places in chunks; each knows the record of the same key before it. */
private[engine] final class RecordTable {
  private var chunks = new Array[Array[Byte]](128)
  private var starts = new Array[Int](128)
  private var values = new Array[Int](128) // offset of the value, or -1 for a removal
  private var ends = new Array[Int](128)
  private var previous = new Array[Int](128)
  private var count = 0

  /** Number of records; ordinals run from 0 to `size - 1`. */
  def size: Int = count

  /** @param valueOffset where the value starts (it ends with the record), or -1 for a removal */
  def add(chunk: Array[Byte], start: Int, end: Int, valueOffset: Int, previousOrdinal: Int): Int = {
    if (count == starts.length) grow()
    chunks(count) = chunk
    starts(count) = start
    values(count) = valueOffset
    ends(count) = end
    previous(count) = previousOrdinal
    count += 1
    count - 1
  }

  def isRemoval(ordinal: Int): Boolean = values(ordinal) < 0

  /** A copy of the record's value, or null for a removal. */
  def value(ordinal: Int): Array[Byte] =
    if (isRemoval(ordinal)) null else Arrays.copyOfRange(chunks(ordinal), values(ordinal), ends(ordinal))

  /** The newest record of the same key with an ordinal below `mark`, starting from `ordinal`; -1 if there is none. */
  def before(mark: Int, ordinal: Int): Int = {
    var found = ordinal
    while (found >= mark) found = previous(found)
    found
  }

  def chunk(ordinal: Int): Array[Byte] = chunks(ordinal)
  def start(ordinal: Int): Int = starts(ordinal)
  def length(ordinal: Int): Int = ends(ordinal) - starts(ordinal)

  def allocatedBytes: Long = starts.length * 24L

  private def grow(): Unit = {
    val capacity = count * 2
    chunks = Arrays.copyOf(chunks, capacity)
    starts = Arrays.copyOf(starts, capacity)
    values = Arrays.copyOf(values, capacity)
    ends = Arrays.copyOf(ends, capacity)
    previous = Arrays.copyOf(previous, capacity)
  }
}

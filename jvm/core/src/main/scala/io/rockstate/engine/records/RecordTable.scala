package io.rockstate.engine.records

import java.util.Arrays

import io.rockstate.format.wire.WriteBatchRecords

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

  def isMerge(ordinal: Int): Boolean = chunks(ordinal)(starts(ordinal)) == WriteBatchRecords.Merge

  /** Whether the key has an older record. */
  def hasPrevious(ordinal: Int): Boolean = previous(ordinal) >= 0

  /** Whether the record and those before it of the same key only append: then the value begins with the base version's. */
  def extendsBase(ordinal: Int): Boolean = appendedToBase(ordinal) >= 0

  /** How many bytes the record and those before it of the same key append to the base version's value; -1 if they do not only append. */
  def appendedToBase(ordinal: Int): Long = {
    var appended = 0L
    if (eachMerge(ordinal)(record => appended += valueLength(record)) < 0) appended else -1
  }

  /** The key's value as of this record, or null if it has none then.
    *
    * @param base the base version's value or null; asked for only if the record extends it
    */
  def value(ordinal: Int, base: => Array[Byte]): Array[Byte] =
    if (isRemoval(ordinal)) null
    else if (isMerge(ordinal)) merged(ordinal, base)
    else bytes(ordinal)

  /** A copy of the value of a put, the operand of a merge. */
  def bytes(ordinal: Int): Array[Byte] = Arrays.copyOfRange(chunks(ordinal), values(ordinal), ends(ordinal))

  private def merged(ordinal: Int, base: => Array[Byte]): Array[Byte] = {
    var appended = 0L
    val root = eachMerge(ordinal)(record => appended += valueLength(record))
    val first = if (root < 0) base else value(root, null)
    val firstLength = if (first == null) 0 else first.length
    val bytes = new Array[Byte](WriteBatchRecords.requireRow(firstLength + appended))
    if (first != null) System.arraycopy(first, 0, bytes, 0, firstLength)
    var end = bytes.length
    eachMerge(ordinal) { record =>
      end -= valueLength(record)
      System.arraycopy(chunks(record), values(record), bytes, end, valueLength(record))
    }
    bytes
  }

  /** From the newest merge back to the oldest after the key's last put or removal, whose ordinal it returns, -1 if there is none. */
  private def eachMerge(newest: Int)(action: Int => Unit): Int = {
    var record = newest
    while (record >= 0 && isMerge(record)) {
      action(record)
      record = previous(record)
    }
    record
  }

  /** Where the value of a put or the operand of a merge is in its chunk, and how long it is. */
  def valueOffset(ordinal: Int): Int = values(ordinal)
  def valueLength(ordinal: Int): Int = ends(ordinal) - values(ordinal)

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

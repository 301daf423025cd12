package io.rockstate.engine.records

import java.util.Arrays

import io.rockstate.format.wire.WriteBatchRecords

/** The write records of a transaction in the order of writing, and where their bytes are; each knows the record of the same key before it. */
private[engine] final class RecordTable {
  private var chunks = new Array[Array[Byte]](128)
  private var starts = new Array[Int](128)
  private var values = new Array[Int](128) // offset of the value, or -1 for a removal
  private var ends = new Array[Int](128)
  private var previous = new Array[Int](128)
  private var count = 0

  /** Number of records; they are numbered from 0 to `size - 1`. */
  def size: Int = count

  /** @param valueOffset where the value starts (it ends with the record), or -1 for a removal */
  def add(chunk: Array[Byte], start: Int, end: Int, valueOffset: Int, previousRecord: Int): Int = {
    if (count == starts.length) grow()
    chunks(count) = chunk
    starts(count) = start
    values(count) = valueOffset
    ends(count) = end
    previous(count) = previousRecord
    count += 1
    count - 1
  }

  def isRemoval(record: Int): Boolean = values(record) < 0

  def isMerge(record: Int): Boolean = chunks(record)(starts(record)) == WriteBatchRecords.Merge

  /** Whether the key has an older record. */
  def hasPrevious(record: Int): Boolean = previous(record) >= 0

  /** Whether the record and those before it of the same key only append: then the value begins with the base version's. */
  def extendsBase(record: Int): Boolean = appendedToBase(record) >= 0

  /** How many bytes the record and those before it of the same key append to the base version's value; -1 if they do not only append. */
  def appendedToBase(record: Int): Long = {
    var appended = 0L
    if (eachMerge(record)(merge => appended += valueLength(merge)) < 0) appended else -1
  }

  /** The key's value as of this record, or null if it has none then.
    *
    * @param base the base version's value or null; asked for only if the record extends it
    */
  def value(record: Int, base: => Array[Byte]): Array[Byte] =
    if (isRemoval(record)) null
    else if (isMerge(record)) merged(record, base)
    else bytes(record)

  /** A copy of the value of a put, the operand of a merge. */
  def bytes(record: Int): Array[Byte] = Arrays.copyOfRange(chunks(record), values(record), ends(record))

  private def merged(record: Int, base: => Array[Byte]): Array[Byte] = {
    var appended = 0L
    val root = eachMerge(record)(merge => appended += valueLength(merge))
    val first = if (root < 0) base else value(root, null)
    val firstLength = if (first == null) 0 else first.length
    val bytes = new Array[Byte](WriteBatchRecords.requireRow(firstLength + appended))
    if (first != null) System.arraycopy(first, 0, bytes, 0, firstLength)
    var end = bytes.length
    eachMerge(record) { merge =>
      end -= valueLength(merge)
      System.arraycopy(chunks(merge), values(merge), bytes, end, valueLength(merge))
    }
    bytes
  }

  /** From the newest merge back to the oldest after the key's last put or removal, which it returns, -1 if there is none. */
  private def eachMerge(newest: Int)(action: Int => Unit): Int = {
    var record = newest
    while (record >= 0 && isMerge(record)) {
      action(record)
      record = previous(record)
    }
    record
  }

  /** Where the value of a put or the operand of a merge is in its chunk, and how long it is. */
  def valueOffset(record: Int): Int = values(record)
  def valueLength(record: Int): Int = ends(record) - values(record)

  /** The newest record of the same key numbered below `mark`, starting from `record`; -1 if there is none. */
  def before(mark: Int, record: Int): Int = {
    var found = record
    while (found >= mark) found = previous(found)
    found
  }

  def chunk(record: Int): Array[Byte] = chunks(record)
  def start(record: Int): Int = starts(record)
  def length(record: Int): Int = ends(record) - starts(record)

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

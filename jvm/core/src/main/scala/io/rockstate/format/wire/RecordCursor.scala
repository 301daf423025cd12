package io.rockstate.format.wire

import io.rockstate.errors.CorruptFile

/** Walks the records in a range of bytes, in order. Stands before the first until `next`; a record that does not fit the grammar of
  * [[WriteBatchRecords]] or the range is a `CorruptFile`. Allocates nothing per record.
  *
  * @param file the name of the delta that the bytes came from
  */
final class RecordCursor(bytes: Array[Byte], from: Int, until: Int, file: String) {
  import WriteBatchRecords._

  private var position = from
  private var start = from
  private var currentTag: Byte = 0
  private var records = 0
  private var keyAt, keyBytes, valueAt, valueBytes = 0

  /** The current record's tag, where it starts, and where its slices are. A delete's value has length 0. */
  def tag: Byte = currentTag
  def recordOffset: Int = start
  def keyOffset: Int = keyAt
  def keyLength: Int = keyBytes
  def valueOffset: Int = valueAt
  def valueLength: Int = valueBytes

  /** Copies of the current record's slices. */
  def key: Array[Byte] = java.util.Arrays.copyOfRange(bytes, keyAt, keyAt + keyBytes)
  def value: Array[Byte] = java.util.Arrays.copyOfRange(bytes, valueAt, valueAt + valueBytes)

  /** Moves to the next record and says whether there is one. */
  def next(): Boolean =
    if (position == until) false
    else {
      start = position
      currentTag = bytes(position)
      position += 1
      if (currentTag != Put && currentTag != Delete && currentTag != Merge && currentTag != DeleteRange)
        throw broken(s"has the unknown tag $currentTag")
      keyBytes = sliceLength()
      keyAt = position
      position += keyBytes
      valueBytes = if (currentTag == Delete) 0 else sliceLength()
      valueAt = position
      position += valueBytes
      records += 1
      true
    }

  /** `CorruptFile` unless so many records were passed. */
  def requireRecords(count: Int): Unit =
    if (records != count) throw Damage.ofDelta(file)(s"a frame has $records records, and says that it has $count")

  /** Reads a varint32 and checks that as many bytes follow. */
  private def sliceLength(): Int = {
    var length = 0L
    var shift = 0
    var isLast = false
    while (!isLast) {
      if (position == until || shift > 28) throw broken("has a length without an end")
      val part = bytes(position)
      position += 1
      length |= (part & 0x7fL) << shift
      shift += 7
      isLast = part >= 0
    }
    if (length > until - position) throw broken(s"announces $length bytes where ${until - position} are left")
    length.toInt
  }

  private def broken(problem: String): CorruptFile =
    Damage.ofDelta(file)(s"the record at byte ${start - from} of a frame $problem")
}

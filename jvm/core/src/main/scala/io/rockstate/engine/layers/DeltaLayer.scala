package io.rockstate.engine.layers

import io.rockstate.engine.records.{KeyHash, KeyedRecords}
import io.rockstate.format.delta.DeltaFrame
import io.rockstate.format.wire.{RecordCursor, WriteBatchRecords}

/** A delta's frames as a layer; the frames' bytes are kept, not copied. */
private[engine] object DeltaLayer {

  /** None if they delete ranges: only a database can do that.
    *
    * @param file the delta's name, for errors
    */
  def of(frames: Vector[DeltaFrame], file: String): Option[ChangeLayer] = {
    val changes = new KeyedRecords
    Option.when(frames.forall(add(_, file, changes))) {
      changes.keepNetRecords()
      new ChangeLayer(changes, changes.allocatedBytes + frames.map(_.bytes.length.toLong).sum)
    }
  }

  /** False at a record that deletes a range. */
  private def add(frame: DeltaFrame, file: String, changes: KeyedRecords): Boolean = {
    val bytes = frame.bytes
    val cursor = new RecordCursor(bytes, 0, bytes.length, file)
    var isKeyed = true
    while (isKeyed && cursor.next())
      if (cursor.tag == WriteBatchRecords.DeleteRange) isKeyed = false
      else {
        val hash = KeyHash.of(bytes, cursor.keyOffset, cursor.keyLength)
        val found = changes.index.find(bytes, cursor.keyOffset, cursor.keyLength, hash)
        val id = if (found >= 0) found else changes.addKey(bytes, cursor.keyOffset, cursor.keyLength, hash)
        val isRemoval = cursor.tag == WriteBatchRecords.Delete
        val end = cursor.valueOffset + cursor.valueLength
        changes.add(id, bytes, cursor.recordOffset, end, if (isRemoval) -1 else cursor.valueOffset)
      }
    if (isKeyed) cursor.requireRecords(frame.recordCount)
    isKeyed
  }
}

package io.rockstate.engine

import io.rockstate.format.{DeltaFrame, RecordCursor, WriteBatchRecords}

/** A delta's frames as a layer; the frames' bytes are kept, not copied. */
private[engine] object DeltaLayer {

  /** @param file the delta's name, for errors */
  def of(frames: Vector[DeltaFrame], file: String): ChangeLayer = {
    val changes = new KeyedRecords
    frames.foreach(frame => add(frame.bytes, file, changes))
    changes.keepNetRecords()
    new ChangeLayer(changes, changes.allocatedBytes + frames.map(_.bytes.length.toLong).sum)
  }

  private def add(bytes: Array[Byte], file: String, changes: KeyedRecords): Unit = {
    val cursor = new RecordCursor(bytes, 0, bytes.length, file)
    while (cursor.next()) {
      val hash = KeyHash.of(bytes, cursor.keyOffset, cursor.keyLength)
      val found = changes.index.find(bytes, cursor.keyOffset, cursor.keyLength, hash)
      val id = if (found >= 0) found else changes.addKey(bytes, cursor.keyOffset, cursor.keyLength, hash)
      val isRemoval = cursor.tag == WriteBatchRecords.Delete
      val end = cursor.valueOffset + cursor.valueLength
      changes.add(id, bytes, cursor.recordOffset, end, if (isRemoval) -1 else cursor.valueOffset)
    }
  }
}

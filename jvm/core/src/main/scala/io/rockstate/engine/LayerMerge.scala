package io.rockstate.engine

import io.rockstate.db.WriteBatches

/** Several layers as one sequence of records for the database. */
private[engine] object LayerMerge {

  /** Adds what the layers (newest first) make of each key, sorted: applying in key order takes a third of the time. Of a key that several
    * layers changed, records that a later put or removal makes void are left out.
    */
  def addTo(batches: WriteBatches, layers: Array[ChangeLayer]): Unit = {
    val cursors = LayerCursor.over(layers, null, null)
    if (cursors.length == 1) addAll(batches, cursors(0).layer)
    else {
      var key = LayerCursor.smallest(cursors)
      while (key != null) {
        addKey(batches, cursors, key)
        key = LayerCursor.smallest(cursors)
      }
    }
  }

  private def addAll(batches: WriteBatches, layer: ChangeLayer): Unit =
    layer.ordered.foreach(id => add(batches, layer, layer.record(id)))

  /** Adds the key's records, oldest first, from the last put or removal on; moves all cursors past it. */
  private def addKey(batches: WriteBatches, cursors: Array[LayerCursor], key: Array[Byte]): Unit = {
    var newest = 0
    while (!cursors(newest).isAt(key)) newest += 1
    val oldest = oldestNeeded(cursors, newest, key)
    var i = cursors.length - 1
    while (i >= newest) {
      val cursor = cursors(i)
      if (cursor.isAt(key)) {
        if (i <= oldest) add(batches, cursor.layer, cursor.record)
        cursor.advance()
      }
      i -= 1
    }
  }

  /** The last put or removal of the key, or its oldest record if all of them are merges. */
  private def oldestNeeded(cursors: Array[LayerCursor], newest: Int, key: Array[Byte]): Int = {
    var oldest = newest
    var i = newest
    while (i < cursors.length && cursors(oldest).layer.isMerge(cursors(oldest).record)) {
      if (cursors(i).isAt(key)) oldest = i
      i += 1
    }
    oldest
  }

  private def add(batches: WriteBatches, layer: ChangeLayer, record: Int): Unit = {
    val table = layer.table
    batches.add(table.chunk(record), table.start(record), table.length(record), 1)
  }
}

package io.rockstate.engine

import java.util.Arrays

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
    val has = cursors.map(cursor => cursor.key != null && Arrays.equals(cursor.key, key))
    val newest = has.indexOf(true)
    var oldest = newest
    var i = newest
    while (i < cursors.length && i >= 0) {
      if (has(i)) {
        oldest = i
        if (!cursors(i).layer.isMerge(cursors(i).record)) i = cursors.length
      }
      i += 1
    }
    (oldest to newest by -1).foreach(i => if (has(i)) add(batches, cursors(i).layer, cursors(i).record))
    cursors.indices.foreach(i => if (has(i)) cursors(i).advance())
  }

  private def add(batches: WriteBatches, layer: ChangeLayer, record: Int): Unit = {
    val table = layer.table
    batches.add(table.chunk(record), table.start(record), table.length(record), 1)
  }
}

package io.rockstate.engine.loaded

import io.rockstate.db.{DbIterator, DbView}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.records.Values

/** One committed version: a local database as it stood at an earlier version, and the changes since. Immutable; whoever uses it retained
  * `base` and releases it by `close`.
  *
  * @param layers the changes, newest first
  */
private[engine] final class View(base: SharedView, val layers: Array[ChangeLayer]) extends AutoCloseable {

  /** The value of `key`, or null. */
  def get(key: Array[Byte], hash: Int): Array[Byte] = get(key, hash, 0)

  /** Whether `key` has a value. */
  def contains(key: Array[Byte], hash: Int): Boolean = {
    val newest = newestRecord(key, hash, 0)
    if (newest < layers.length) !layers(newest).isRemoval(layers(newest).find(key, hash))
    else base.db.contains(key)
  }

  /** How many bytes the value of `key` has; -1 if it has none. */
  def length(key: Array[Byte], hash: Int): Long = length(key, hash, 0)

  /** An unpositioned iterator over the database below the layers; the caller closes it before this view. */
  def iterator(): DbIterator = base.db.iterator()

  override def close(): Unit = base.release()

  /** The value as of the layer with this index. */
  private def get(key: Array[Byte], hash: Int, from: Int): Array[Byte] = {
    val newest = newestRecord(key, hash, from)
    if (newest == layers.length) base.db.get(key)
    else {
      val layer = layers(newest)
      val record = layer.find(key, hash)
      if (layer.isRemoval(record)) null
      else if (layer.isMerge(record)) Values.joined(get(key, hash, newest + 1), layer.bytes(record))
      else layer.bytes(record)
    }
  }

  private def length(key: Array[Byte], hash: Int, from: Int): Long = {
    val newest = newestRecord(key, hash, from)
    if (newest == layers.length) base.db.length(key)
    else {
      val layer = layers(newest)
      val record = layer.find(key, hash)
      if (layer.isRemoval(record)) -1
      else if (layer.isMerge(record)) math.max(length(key, hash, newest + 1), 0) + layer.table.valueLength(record)
      else layer.table.valueLength(record).toLong
    }
  }

  /** The index of the first layer from `from` on that has a record of the key; the number of layers if none has. */
  private def newestRecord(key: Array[Byte], hash: Int, from: Int): Int = {
    var layer = from
    while (layer < layers.length && layers(layer).find(key, hash) < 0) layer += 1
    layer
  }
}

/** A database's view that several transactions read from; the last one to let go closes it. */
private[engine] final class SharedView(val db: DbView) {
  private var holders = 1

  def retain(): this.type = synchronized {
    holders += 1
    this
  }

  def release(): Unit = {
    val isLast = synchronized {
      holders -= 1
      holders == 0
    }
    if (isLast) db.close()
  }
}

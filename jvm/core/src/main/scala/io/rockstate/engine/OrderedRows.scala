package io.rockstate.engine

/** The rows of a version in a range, in key order. Stands on the first one after construction. */
private[engine] trait OrderedRows {

  /** The current row's key, or null after the last one. */
  def key: Array[Byte]
  def value: Array[Byte]

  /** Moves to the next row. */
  def advance(): Unit
  def close(): Unit
}

/** Those that a complete read cache has: a seek and ten rows take a tenth of the time that they take in a database. */
private[engine] final class CachedRows(cache: ReadCache, sorted: SortedKeys, lower: Array[Byte], upper: Array[Byte])
    extends OrderedRows {
  private val entries = sorted.from(lower)
  private var entry = -1
  private var currentKey: Array[Byte] = _

  advance()

  override def key: Array[Byte] = currentKey
  override def value: Array[Byte] = cache.value(entry)

  override def advance(): Unit = {
    entry = entries.next()
    currentKey = if (entry < 0) null else cache.keyBelow(entry, upper)
  }

  override def close(): Unit = ()
}

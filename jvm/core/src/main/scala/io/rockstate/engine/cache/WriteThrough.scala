package io.rockstate.engine.cache

import io.rockstate.engine.layers.ChangeLayer

/** What brings a cache of one version to the next after a commit.
  *
  * @param addresses where it has the changed keys; null if that is not known
  */
private[engine] final class WriteThrough(cache: ReadCache, addresses: CacheAddresses, changes: ChangeLayer) {

  /** Number of changed keys. */
  def keys: Int = changes.keys

  def write(): Unit = {
    val index = changes.keyIndex
    val records = changes.table
    var n = 0
    while (n < changes.keys) {
      val id = changes.keyId(n)
      val record = changes.record(id)
      val address = if (addresses == null) ReadCache.Unknown else addresses.of(n)
      if (records.isRemoval(record)) cache.remove(address, index, id)
      else if (records.isMerge(record)) cache.append(address, index, id, records.bytes(record))
      else
        cache.put(address, index, id, records.chunk(record), records.valueOffset(record), records.valueLength(record))
      n += 1
    }
  }
}

package io.rockstate.engine.transaction

import java.util.Arrays

import io.rockstate.engine.loaded.LoadedBase

/** Reads of single keys of the version that a transaction goes on from: its cache first, then layers and database. What a read tells of a
  * key's presence is kept in mind for the commit: to find it out costs as much as the read. Not thread-safe.
  */
private[engine] final class BaseReads(base: LoadedBase, pending: PendingWrites, figures: TransactionFigures) {
  private var lastScanned: Array[Byte] = _

  /** The key's value, or null.
    *
    * @param keep whether the cache may take it in: not if the key has been written
    */
  def get(key: Array[Byte], hash: Int, keep: Boolean): Array[Byte] = {
    val cached = if (base.cache == null) -1 else base.cache.find(key, hash)
    if (cached < 0 && !base.isCacheComplete) fromView(key, hash, keep)
    else {
      figures.rowHits += 1
      if (cached < 0) null else base.cache.value(cached)
    }
  }

  /** Whether the key has a value. */
  def contains(key: Array[Byte], hash: Int): Boolean = {
    val isCached = base.cache != null && base.cache.find(key, hash) >= 0
    if (isCached || base.isCacheComplete) figures.rowHits += 1 else figures.rowMisses += 1
    val found = isCached || (!base.isCacheComplete && base.view.contains(key, hash))
    if (!base.isCacheComplete) pending.learn(key, hash, found)
    found
  }

  /** Takes note of the key of a row that a scan has just returned. */
  def scanned(key: Array[Byte]): Unit = lastScanned = key

  /** Called before each write. Evicting operators remove what a scan has just returned: its presence needs no look-up. */
  def learnFromScan(key: Array[Byte], hash: Int): Unit =
    if (lastScanned != null && Arrays.equals(lastScanned, key)) {
      pending.learn(key, hash, present = true)
      lastScanned = null
    }

  /** What the cache has need not be learnt. */
  private def fromView(key: Array[Byte], hash: Int, keep: Boolean): Array[Byte] = {
    figures.rowMisses += 1
    val found = base.view.get(key, hash)
    if (keep && found != null && base.cache != null) base.cache.put(key, hash, found)
    else pending.learn(key, hash, found != null)
    found
  }
}

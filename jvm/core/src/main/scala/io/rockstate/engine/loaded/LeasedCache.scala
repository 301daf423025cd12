package io.rockstate.engine.loaded

import io.rockstate.engine.cache.ReadCache
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.versions.CommittedVersion

/** A loaded version's read cache, which one transaction at a time may have. What comes back for another version than the one that is then
  * held is of no use. Safe to use from several threads.
  */
private[engine] final class LeasedCache(heap: HeapMemory, loaded: CommittedVersion) {
  private val cache = new ReadCache(heap, startsComplete = loaded.rows == 0)
  private var holdsRowsOf = loaded
  private var isLeased = false
  private var isClosed = false

  /** The cache with rows of this version; none if it is in use. */
  def lease(version: CommittedVersion): Option[ReadCache] = synchronized {
    Option.when(heap.totalBytes > 0 && !isLeased && !isClosed) {
      if (holdsRowsOf ne version) cache.clear()
      cache.noteRows(version.rows)
      isLeased = true
      cache
    }
  }

  /** @param version whose rows it has */
  def giveBack(version: CommittedVersion): Unit = synchronized {
    isLeased = false
    holdsRowsOf = version
    cache.yieldMemory()
    if (isClosed) cache.close()
  }

  /** Gives its memory back, at once or when it comes back. */
  def close(): Unit = synchronized {
    isClosed = true
    if (!isLeased) cache.close()
  }
}

package io.rockstate.engine.loaded

import io.rockstate.engine.cache.{ReadCache, WriteThrough}
import io.rockstate.engine.loaded.LoadedState.LayerOf
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.errors.OnFailure
import io.rockstate.versions.CommittedVersion

/** A loaded version's read cache, which one transaction at a time may have. What comes back for another version than the one that is then
  * held is of no use. It may come back a commit behind: who needs it first, or the applier, brings it forward. Safe to use from several
  * threads.
  */
private[engine] final class LeasedCache(heap: HeapMemory, loaded: CommittedVersion) {
  private val cache = new ReadCache(heap, startsComplete = loaded.rows == 0)
  private var isLeased = false
  private var isClosed = false

  /** Guards the rows, and these two. Bringing them forward takes long: nobody else waits for that, so `lease` does not take it. */
  private val rows = new AnyRef
  private var holdsRowsOf = loaded
  @volatile private var behind: Option[WriteThrough] = None

  /** Whether nothing is read from the database, about: it may be in use. */
  def hasAllRows: Boolean = cache.isComplete

  /** Whether the caller has it from now on; not if it is in use. */
  def lease(): Boolean = synchronized {
    val isFree = heap.totalBytes > 0 && !isLeased && !isClosed
    if (isFree) isLeased = true
    isFree
  }

  /** The cache with rows of this version, for whoever leased it. */
  def of(version: CommittedVersion): ReadCache = rows.synchronized {
    bringForward()
    if ((holdsRowsOf ne version) || !cache.isWhole) cache.clear()
    holdsRowsOf = version
    cache.noteRows(version.rows)
    cache
  }

  /** Ends the lease.
    *
    * @param version whose rows it has once `changes` are written to it; null if it has no version's
    */
  def giveBack(version: CommittedVersion, changes: Option[WriteThrough]): Unit =
    try
      rows.synchronized {
        holdsRowsOf = version
        behind = changes
        if (changes.isEmpty) cache.yieldMemory()
      }
    finally endLease()

  /** Ends the lease of a cache that was not used. */
  def endLease(): Unit = synchronized {
    isLeased = false
    if (isClosed) close()
  }

  /** Whether it came back without the last changes. */
  def isBehind: Boolean = behind.isDefined

  /** Writes those to it. */
  def bringForward(): Unit = rows.synchronized {
    behind.foreach { changes =>
      val version = holdsRowsOf
      behind = None
      holdsRowsOf = null // should this end half-way, they are nobody's
      OnFailure(cache.clear())(changes.write())
      holdsRowsOf = version
      cache.yieldMemory()
    }
  }

  /** Has rows of another version, if it can and nobody uses it: where it lacks what leads from `base` to `from`, it has the rows of `base`.
    *
    * @param taken what leads from there to the other, if that is not `base` itself
    */
  def turn(from: CommittedVersion, base: CommittedVersion, taken: Option[LayerOf]): Unit =
    if (lease())
      try turned(from, base, taken)
      finally endLease()

  private def turned(from: CommittedVersion, base: CommittedVersion, taken: Option[LayerOf]): Unit = rows.synchronized {
    if ((from ne base) && (holdsRowsOf eq from) && behind.isDefined) {
      behind = None
      holdsRowsOf = base
    }
    if ((holdsRowsOf eq base) && behind.isEmpty) taken.foreach { layer =>
      behind = Some(new WriteThrough(cache, addresses = null, layer.changes))
      holdsRowsOf = layer.version
    }
  }

  /** Gives its memory back, at once or when it comes back. */
  def close(): Unit = synchronized {
    isClosed = true
    if (!isLeased)
      rows.synchronized {
        behind = None
        cache.close()
      }
  }
}

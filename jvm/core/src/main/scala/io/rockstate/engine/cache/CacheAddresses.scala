package io.rockstate.engine.cache

import java.util.Arrays

import io.rockstate.engine.records.KeyedRecords

/** Where the keys that a transaction writes are in the read cache. Each is looked up once, for all that a scan and the commit want of it:
  * half of an aggregation's state time went to searching for the same keys again. Many are looked up one after the other, so that their
  * waiting for memory overlaps, and while the task runs: it would be half of a commit.
  *
  * From when a key has been written on, the cache must not take in its row.
  */
private[engine] final class CacheAddresses(cache: ReadCache, written: KeyedRecords) {
  private var addresses = new Array[Int](16)
  private var known = 0
  private var movesBefore = cache.moves
  private var marks: Array[Long] = _ // a bit for each address: whether a written key is there

  /** Looks up the keys that have been written since the last time. */
  def lookUp(): Unit = {
    if (addresses.length < written.writtenKeys)
      addresses = Arrays.copyOf(addresses, math.max(written.writtenKeys, known * 2))
    val index = written.index
    while (known < written.writtenKeys) {
      val id = written.writtenKey(known)
      addresses(known) = cache.find(index.chunk(id), index.offset(id), index.length(id), index.hash(id))
      mark(addresses(known))
      known += 1
    }
  }

  /** Looks up all of them once more: the cache has taken in rows of its own accord. */
  def lookUpAgain(): Unit = {
    known = 0
    marks = null
    movesBefore = cache.moves
    lookUp()
  }

  /** Whether the n-th written key was in the cache. */
  def isCached(n: Int): Boolean = addresses(n) >= 0

  /** The n-th written key's address, `ReadCache.Nowhere`, or `ReadCache.Unknown` if it may have moved since. */
  def of(n: Int): Int = if (addresses(n) >= 0 && cache.moves != movesBefore) ReadCache.Unknown else addresses(n)

  /** Looks up what is missing, or has moved, and prepares for `isWritten`. */
  def lookUpForScan(): Unit = {
    if (cache.moves != movesBefore) lookUpAgain()
    if (marks == null) {
      marks = new Array[Long](((cache.addresses + 63) / 64).toInt)
      (0 until known).foreach(n => mark(addresses(n)))
    }
    lookUp()
  }

  /** Whether the key of the entry at this address was among those looked up. */
  def isWritten(address: Int): Boolean = (marks(address >>> 6) & 1L << address) != 0

  private def mark(address: Int): Unit = if (marks != null && address >= 0) marks(address >>> 6) |= 1L << address
}

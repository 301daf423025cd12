package io.rockstate.engine.loaded

import io.rockstate.db.CacheReads
import io.rockstate.engine.cache.{CacheAddresses, ReadCache, WriteThrough}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.errors.OnFailure
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** A transaction's hold on the version that it goes on from: the database that has it, a view of it, and its read cache unless another
  * transaction has that. Let go by `close`.
  *
  * @param asked   the version as it was asked for
  * @param version what `source` holds while this is made
  * @param keysAtOnce changed keys that a commit writes to the cache itself
  */
private[engine] final class LoadedBase(
    val asked: StateVersion,
    val version: CommittedVersion,
    val source: LoadedDb,
    keysAtOnce: Int
) extends AutoCloseable {
  private val readsBefore = source.blockCacheReads
  source.retain()
  private var current = OnFailure(source.release())(source.view())
  private var isLeased = source.leaseCache()
  private var leased: ReadCache = _
  private var cacheHolds = version
  private var cacheLacks: Option[WriteThrough] = None

  /** Rows of this version, and what was absorbed. */
  def view: View = current

  /** Has the cache at hand from now on, if no other transaction has it: brings it to this version, which may take a while. */
  def openCache(): Unit = if (isLeased) leased = source.cacheOf(version)

  /** Rows of this version, as many as there was room for; null if there is none. */
  def cache: ReadCache = leased

  /** Whether what the cache lacks does not exist. */
  def isCacheComplete: Boolean = leased != null && leased.isComplete

  /** Blocks that this thread has read of the database since this was made. */
  def blockCacheReads: CacheReads = source.blockCacheReads.since(readsBefore)

  /** Makes what was committed as `next` the cache's rows, for the transaction after this one. Many changes are left for who needs them: the
    * commit does not wait. So are all that may be taken back. But where there was no memory for them as a layer, nothing is to hold them any
    * longer.
    *
    * @param addresses where the cache has the changed keys
    */
  def keepInCache(next: CommittedVersion, changes: ChangeLayer, addresses: CacheAddresses): Unit = if (leased != null) {
    val writes = new WriteThrough(leased, addresses, changes)
    if ((writes.keys > keysAtOnce || source.isToTurn) && source.hasLayers) cacheLacks = Some(writes)
    else {
      cacheHolds = null // should this end half-way, they are nobody's
      OnFailure(leased.clear())(writes.write())
    }
    cacheHolds = next
  }

  /** Puts changes into the database, which nobody else uses, and sees them from now on. No iterator may be open on the view before. */
  def absorb(changes: ChangeLayer): Unit = {
    source.absorb(changes)
    giveCacheBack() // it knows nothing of them
    val before = current
    current = source.view()
    before.close()
  }

  override def close(): Unit =
    try
      try view.close()
      finally {
        current = null // Spark may hold its transaction until the task ends
        giveCacheBack()
        source.catchUpSoon()
      }
    finally source.release()

  private def giveCacheBack(): Unit = {
    if (leased != null) source.returnCache(cacheHolds, cacheLacks) else if (isLeased) source.endLease()
    isLeased = false
    leased = null
    cacheLacks = None
  }
}

package io.rockstate.engine.loaded

import io.rockstate.db.CacheReads
import io.rockstate.engine.cache.{CacheAddresses, ReadCache, WriteThrough}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** A transaction's hold on the version that it goes on from: the database that has it, a view of it, and its read cache unless another
  * transaction has that. Let go by `close`.
  *
  * @param asked   the version as it was asked for
  * @param version what `source` holds while this is made
  */
private[engine] final class LoadedBase(
    val asked: StateVersion,
    val version: CommittedVersion,
    val source: LoadedDb
) extends AutoCloseable {
  source.retain()
  private var current = source.view()
  private var leased = source.leaseCache().orNull
  private var cacheHolds = version
  private val readsBefore = source.blockCacheReads

  /** Rows of this version, and what was absorbed. */
  def view: View = current

  /** Rows of this version, as many as there was room for; null if there is none. */
  def cache: ReadCache = leased

  /** Whether what the cache lacks does not exist. */
  def isCacheComplete: Boolean = leased != null && leased.isComplete

  /** Blocks that this thread has read of the database since this was made. */
  def blockCacheReads: CacheReads = source.blockCacheReads.since(readsBefore)

  /** Makes what was committed as `next` the cache's rows, for the transaction after this one.
    *
    * @param addresses where the cache has the changed keys
    */
  def keepInCache(next: CommittedVersion, changes: ChangeLayer, addresses: CacheAddresses): Unit = if (leased != null) {
    new WriteThrough(leased, addresses)(changes)
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

  override def close(): Unit = {
    view.close()
    giveCacheBack()
    source.release()
  }

  private def giveCacheBack(): Unit = {
    if (leased != null) source.returnCache(cacheHolds)
    leased = null
  }
}

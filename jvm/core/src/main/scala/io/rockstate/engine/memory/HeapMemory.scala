package io.rockstate.engine.memory

import java.util.concurrent.atomic.{AtomicInteger, AtomicLong}

/** The JVM heap that change layers and read caches of all stores share.
  *
  * Caches take up to three quarters of it and do without if there is no more. Layers hold what is not in a local database yet and cannot
  * be refused: past their quarter, commits apply them before they return.
  */
class HeapMemory(val totalBytes: Long) {
  private val cacheBytes = new AtomicLong
  private val layerBytes = new AtomicLong
  private val stores = new AtomicInteger
  @volatile private var isWanted = false

  /** Bytes held now by layers and caches together. */
  def usedBytes: Long = cacheBytes.get + layerBytes.get

  def addStore(): Unit = { stores.incrementAndGet(); () }
  def removeStore(): Unit = { stores.decrementAndGet(); () }

  /** Reserves memory for a cache that holds `held` bytes; false if there is none left, and then caches beyond their share are to shrink. */
  def reserveForCache(bytes: Long, held: Long): Boolean = {
    val fits = reserve(cacheBytes, bytes, cacheLimit)
    if (!fits && held < fairShare) isWanted = true
    fits
  }

  /** How many bytes caches could still reserve. */
  def roomForCache: Long = math.max(0, cacheLimit - cacheBytes.get)

  /** Takes note of a cache's memory that it cannot do without. */
  def chargeCache(bytes: Long): Unit = { cacheBytes.addAndGet(bytes); () }

  def releaseFromCache(bytes: Long): Unit = {
    cacheBytes.addAndGet(-bytes)
    isWanted = false
  }

  /** How much a cache that holds `held` bytes should keep: all of it, unless another store asked for its share in vain. */
  def keepable(held: Long): Long = if (isWanted) math.min(held, fairShare) else held

  def chargeLayers(bytes: Long): Unit = { layerBytes.addAndGet(bytes); () }

  /** Reserves memory for a delta that is read before its turn; false if layers and such deltas have too much already. */
  def reserveAhead(bytes: Long): Boolean = reserve(layerBytes, bytes, layerLimit / 2)

  def releaseLayers(bytes: Long): Unit = { layerBytes.addAndGet(-bytes); () }

  /** Whether layers have taken more than is meant for them. */
  def layersAreFull: Boolean = layerBytes.get > layerLimit

  /** How many bytes of layers a store may gather before they are applied in the background: a quarter of its share of what is meant for
    * them, so that there is room for what is committed meanwhile.
    */
  def layerShare: Long = layerLimit / 4 / math.max(1, stores.get)

  private def reserve(held: AtomicLong, bytes: Long, limit: Long): Boolean = {
    val fits = held.addAndGet(bytes) <= limit
    if (!fits) held.addAndGet(-bytes)
    fits
  }

  private def cacheLimit: Long = totalBytes / 4 * 3
  private def layerLimit: Long = totalBytes / 4
  private def fairShare: Long = cacheLimit / math.max(1, stores.get)
}

object HeapMemory {
  private var instance: Option[HeapMemory] = None

  /** The JVM's. The first call sets its size; later calls get the same one, whatever they ask for. */
  def shared(totalBytes: Long): HeapMemory = synchronized {
    instance.getOrElse {
      val created = new HeapMemory(totalBytes)
      instance = Some(created)
      created
    }
  }
}

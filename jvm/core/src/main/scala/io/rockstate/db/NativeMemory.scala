package io.rockstate.db

import org.rocksdb.{LRUCache, RocksDB, WriteBufferManager}

/** One block cache and one write-buffer budget for every store of this JVM.
  *
  * RocksDB counts what it asks the allocator for. The process holds up to twice that (307 MB where 154 were counted, with 5 M rows): arenas that
  * stay in pieces, and what compactions read and write. That much is left free.
  *
  * Write buffers are charged to the cache, so that both together stay within `cacheBytes`. The cache evicts instead of refusing when it
  * is full: RocksDB's strict limit turns a shortage into failed reads, and with it into failed tasks.
  */
final class NativeMemory private (cacheBytes: Long, filterBytes: Long) {
  RocksDB.loadLibrary()

  private val cache =
    new LRUCache(cacheBytes, NativeMemory.shardBits(cacheBytes), /* strict = */ false, NativeMemory.FiltersShare)

  private[db] val options =
    new NativeOptions(cache, new WriteBufferManager(cacheBytes / NativeMemory.WriteBufferShare, cache))

  private[db] val filterRoom = new FilterRoom(filterBytes)

  private val freed = new FreedMemory

  /** Gives the operating system back what was freed, every few seconds at most. */
  def giveBackFreed(): Unit = freed.giveBack()

  /** What each open database has for its write buffers, in bytes. */
  private[db] def writeBuffersEach: Long =
    cacheBytes / NativeMemory.WriteBufferShare / math.max(1, OpenDatabases.count)

  /** Bytes held now by cached blocks, indexes, filters, write buffers and open databases of all stores together, and by the allocator for them. */
  def usedBytes: Long = NativeMemory.heldFor(cache.getUsage + OpenDatabases.count * NativeMemory.DatabaseBytes)
}

object NativeMemory {

  /** Write buffers may take at most this part of the budget: the rest serves reads, which most of a batch's time goes to. */
  private val WriteBufferShare = 2

  /** Parts of filters and indexes stay before blocks of rows, up to this part of the cache: a read asks for several of each, and only for one
    * block (docs/decisions, 50).
    */
  private val FiltersShare = 0.8

  /** Below this, cache and write buffers crowd each other out and every read goes to the disk. */
  val MinimumBytes: Long = 8L << 20

  /** A block that is larger than a shard is never cached, and the filter of a table file of 64 MB has more than a megabyte: with RocksDB's own
    * choice of shards, half a megabyte each, every read of a small cache loads it anew.
    */
  private val LeastShardBytes = 16L << 20
  private val MostShardBits = 6

  private def shardBits(totalBytes: Long): Int = {
    val shards = math.max(1, totalBytes / LeastShardBytes)
    math.min(MostShardBits, 63 - java.lang.Long.numberOfLeadingZeros(shards))
  }

  /** What a database takes that RocksDB does not count: 116 KB, and 5.5 KB for each table file, of which it has six or so. */
  private[db] val DatabaseBytes: Long = 150L << 10

  /** The allocator keeps as much again in pieces that were freed, but no more than this: 64 stores with 20 MB held 49, with 58 MB 89. */
  private val MostInPieces = 24L << 20

  private[db] def heldFor(countedBytes: Long): Long = countedBytes + math.min(countedBytes, MostInPieces)

  /** Of so many bytes in memory RocksDB counts one. */
  private val AllocatorFactor = 2

  private var instance: Option[NativeMemory] = None

  /** The JVM's budget. The first call sets its size; later calls get the same one, whatever they ask for. */
  def shared(totalBytes: Long): NativeMemory = synchronized {
    instance.getOrElse {
      val cacheBytes = math.max(totalBytes / AllocatorFactor, MinimumBytes)
      val created =
        new NativeMemory(cacheBytes, cacheBytes - cacheBytes / WriteBufferShare) // those may be full at any time
      instance = Some(created)
      created
    }
  }

  /** Memory beside the JVM's, with so much room for filters: a test's. */
  private[rockstate] def apart(filterBytes: Long): NativeMemory = new NativeMemory(MinimumBytes, filterBytes)
}

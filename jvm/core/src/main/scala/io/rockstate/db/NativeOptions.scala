package io.rockstate.db

import scala.jdk.CollectionConverters._

import org.rocksdb.{
  AbstractEventListener,
  BlockBasedTableConfig,
  BloomFilter,
  Cache,
  CompressionType,
  IndexType,
  MutableColumnFamilyOptions,
  Options,
  ReadOptions,
  StringAppendOperator,
  WriteBufferManager,
  WriteOptions
}

/** The native option objects of all databases of this JVM, which they share for as long as it lives.
  *
  * What a database takes for itself counts: there may be a thousand in a JVM. An empty one takes 120 KB like this; with options, statistics
  * and a log file of its own it took 650, on two processors, and more on more.
  */
private[db] final class NativeOptions(cache: Cache, writeBuffers: WriteBufferManager) {
  private val table = new BlockBasedTableConfig()
    .setBlockCache(cache)
    // Where memory is short, most of a read is to load and decompress a block: updates with a tenth of a store's rows in memory are 35 % faster
    // than with blocks of 16 KB, and storage takes no more.
    .setBlockSize(4L << 10)
    .setFilterPolicy(new BloomFilter(10))
    // Index and filter in blocks of their own: where memory is short, a read loads a part of them and not a table's whole filter.
    .setIndexType(IndexType.kTwoLevelIndexSearch)
    .setPartitionFilters(true)
    .setMetadataBlockSize(16L << 10)
    .setPinTopLevelIndexAndFilter(true)
    .setFormatVersion(5)
    .setCacheIndexAndFilterBlocks(true)
    .setCacheIndexAndFilterBlocksWithHighPriority(true)
    .setPinL0FilterAndIndexBlocksInCache(true)

  private val database = of(hasLastFilters = true)
  private val withoutLastFilters = of(hasLastFilters = false)

  /** @param hasLastFilters whether the last level's table files have filters */
  def database(hasLastFilters: Boolean): Options = if (hasLastFilters) database else withoutLastFilters

  private def of(hasLastFilters: Boolean): Options = new Options()
    .setCreateIfMissing(true)
    // A merge appends its operand's bytes to the value.
    .setMergeOperator(new StringAppendOperator(""))
    .setTableFormatConfig(table)
    .setWriteBufferManager(writeBuffers)
    // Large ones are slow to search, small ones make many tables, each of which a read may have to ask (docs/decisions, 20).
    .setWriteBufferSize(16L << 20)
    // A write buffer takes memory in such pieces, and one at least.
    .setArenaBlockSize(8L << 10)
    // Each compaction into the next level writes nearly all of a store anew, and the next snapshot uploads it.
    .setLevel0FileNumCompactionTrigger(8)
    .setOptimizeFiltersForHits(!hasLastFilters)
    // Without effect until a database is told how large such a filter is.
    .setMemtableWholeKeyFiltering(true)
    .setCompressionType(CompressionType.LZ4_COMPRESSION)
    .setMaxBackgroundJobs(2)
    .setMaxOpenFiles(-1)
    // A shard takes memory and serves to keep threads apart; few threads open tables.
    .setTableCacheNumshardbits(1)
    // Two files of a database are always open for writing, each with such a buffer.
    .setWritableFileMaxBufferSize(4L << 10)
    // Snapshots carry this file, which grows with every flush until it is written anew.
    .setMaxManifestFileSize(NativeOptions.ManifestBytes)
    .setManifestPreallocationSize(NativeOptions.ManifestBytes)
    // Maintenance decides when to flush; closing must not spend time on files that nobody will read.
    .setAvoidFlushDuringShutdown(true)
    .setLogger(new RocksDbLog)
    .setListeners(List[AbstractEventListener](new NoSelfRecovery).asJava)
    .setStatsDumpPeriodSec(0)
    // Nobody reads these, and a JVM that was killed while they were written has crashed in RocksDB's timer.
    .setStatsPersistPeriodSec(0)

  /** Nothing local needs to survive a crash: recovery always starts from storage. */
  val unlogged: WriteOptions = new WriteOptions().setDisableWAL(true)

  /** For reading the newest data, outside of any snapshot. */
  val latest: ReadOptions = new ReadOptions()
}

private[db] object NativeOptions {

  /** With a filter in each write buffer. */
  def filteredWrites: MutableColumnFamilyOptions =
    MutableColumnFamilyOptions.builder().setMemtablePrefixBloomSizeRatio(WriteFilterShare).build()

  /** Of a write buffer: some ten bits for each row. */
  private val WriteFilterShare = 0.02

  private val ManifestBytes = 16L << 10
}

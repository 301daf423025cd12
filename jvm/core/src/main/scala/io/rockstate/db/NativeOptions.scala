package io.rockstate.db

import org.rocksdb.{
  BlockBasedTableConfig,
  BloomFilter,
  CompressionType,
  IndexType,
  InfoLogLevel,
  Options,
  ReadOptions,
  RocksObject,
  Statistics,
  StatsLevel,
  StringAppendOperator,
  WriteOptions
}

/** The native option objects of one database; closed with it. */
private[db] final class NativeOptions(memory: NativeMemory) extends AutoCloseable {
  private val filter = new BloomFilter(10)

  private val table = new BlockBasedTableConfig()
    .setBlockCache(memory.cache)
    // Where memory is short, most of a read is to load and decompress a block: updates with a tenth of a store's rows in memory are 35 % faster
    // than with blocks of 16 KB, and storage takes no more.
    .setBlockSize(4L << 10)
    .setFilterPolicy(filter)
    // Index and filter in blocks of their own: where memory is short, a read loads a part of them and not a table's whole filter.
    .setIndexType(IndexType.kTwoLevelIndexSearch)
    .setPartitionFilters(true)
    .setMetadataBlockSize(16L << 10)
    .setPinTopLevelIndexAndFilter(true)
    .setFormatVersion(5)
    .setCacheIndexAndFilterBlocks(true)
    .setCacheIndexAndFilterBlocksWithHighPriority(true)
    .setPinL0FilterAndIndexBlocksInCache(true)

  // A merge appends its operand's bytes to the value.
  private val append = new StringAppendOperator("")

  val statistics = new Statistics
  statistics.setStatsLevel(StatsLevel.EXCEPT_DETAILED_TIMERS)

  val database: Options = new Options()
    .setStatistics(statistics)
    .setCreateIfMissing(true)
    .setMergeOperator(append)
    .setTableFormatConfig(table)
    .setWriteBufferManager(memory.writeBuffers)
    // Large ones are slow to search, small ones make many tables, each of which a read may have to ask (docs/decisions, 20).
    .setWriteBufferSize(16L << 20)
    .setArenaBlockSize(256L << 10)
    // Each compaction into the next level writes nearly all of a store anew, and the next snapshot uploads it.
    .setLevel0FileNumCompactionTrigger(8)
    .setCompressionType(CompressionType.LZ4_COMPRESSION)
    .setMaxBackgroundJobs(2)
    .setMaxOpenFiles(-1)
    // Maintenance decides when to flush; closing must not spend time on files that nobody will read.
    .setAvoidFlushDuringShutdown(true)
    .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
    .setKeepLogFileNum(1)
    .setStatsDumpPeriodSec(0)
    // Nobody reads these, and a JVM that was killed while they were written has crashed in RocksDB's timer.
    .setStatsPersistPeriodSec(0)

  /** Nothing local needs to survive a crash: recovery always starts from storage. */
  val unlogged: WriteOptions = new WriteOptions().setDisableWAL(true)

  /** For reading the newest data, outside of any snapshot. */
  val latest: ReadOptions = new ReadOptions()

  override def close(): Unit =
    Seq[RocksObject](latest, unlogged, database, statistics, append, filter).foreach(_.close())
}

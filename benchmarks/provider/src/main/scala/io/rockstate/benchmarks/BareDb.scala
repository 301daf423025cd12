package io.rockstate.benchmarks

import java.nio.file.{Files, Path}
import java.util.Comparator

import scala.util.Using

import org.rocksdb.{BlockBasedTableConfig, BloomFilter, LRUCache, Options, RocksDB, WriteOptions}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

/** A database in a temporary folder, with rows of fixed size in and out. */
private[benchmarks] final class BareDb(keyColumns: Int, valueColumns: Int, cacheBytes: Long) extends AutoCloseable {
  RocksDB.loadLibrary()
  private val folder: Path = Files.createTempDirectory("bare")
  private val cache = new LRUCache(cacheBytes)
  private val bloom = new BloomFilter(10, false)
  private val tables = new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(bloom)
  private val options = new Options().setCreateIfMissing(true).setTableFormatConfig(tables)
  private val writing = new WriteOptions().setDisableWAL(true)
  private val db = RocksDB.open(options, folder.toString)

  def get(key: UnsafeRow): UnsafeRow = {
    val value = db.get(key.getBytes)
    if (value eq null) null else row(value, valueColumns)
  }

  def put(key: UnsafeRow, value: UnsafeRow): Unit = db.put(writing, key.getBytes, value.getBytes)
  def remove(key: UnsafeRow): Unit = db.delete(writing, key.getBytes)

  def scan(): StateStoreIterator[UnsafeRowPair] = {
    val rows = db.newIterator()
    val pair = new UnsafeRowPair
    rows.seekToFirst()
    val pairs = new Iterator[UnsafeRowPair] {
      override def hasNext: Boolean = rows.isValid
      override def next(): UnsafeRowPair = {
        pair.withRows(row(rows.key, keyColumns), row(rows.value, valueColumns))
        rows.next()
        pair
      }
    }
    new StateStoreIterator(pairs, () => rows.close())
  }

  override def close(): Unit = {
    Seq[AutoCloseable](db, writing, options, bloom, cache).foreach(_.close())
    Using.resource(Files.walk(folder))(_.sorted(Comparator.reverseOrder[Path]).forEach(Files.delete(_)))
  }

  private def row(bytes: Array[Byte], columns: Int): UnsafeRow = {
    val row = new UnsafeRow(columns)
    row.pointTo(bytes, bytes.length)
    row
  }
}

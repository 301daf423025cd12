package io.rockstate.engine.cache

import scala.collection.mutable

import org.scalatest.Assertions._

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeyIndex, OrderedRows}

/** The cache beside a map. */
private[cache] final class CheckedCache(heapBytes: Long) {
  val heap = new HeapMemory(heapBytes)
  val cache = new ReadCache(heap, startsComplete = true)
  val model = mutable.Map.empty[String, String]

  private val written = new KeyIndex
  private var writes = 0

  def put(key: String, value: String): Unit = {
    model(key) = value
    if (writes % 3 == 0) cache.put(key.getBytes, KeyHash.of(key.getBytes), value.getBytes)
    else cache.put(addressOf(key), written, idOf(key), value.getBytes, 0, value.length)
  }

  def append(key: String, operand: String): Unit = {
    model(key) = model.getOrElse(key, "") + operand
    cache.append(addressOf(key), written, idOf(key), operand.getBytes)
  }

  def remove(key: String): Unit = {
    model -= key
    cache.remove(addressOf(key), written, idOf(key))
  }

  /** As a commit knows it: where the key is, or, every other time, not. */
  private def addressOf(key: String): Int = {
    writes += 1
    if (writes % 2 == 0) ReadCache.Unknown else cache.find(key.getBytes, KeyHash.of(key.getBytes))
  }

  private def idOf(key: String): Int = {
    val found = written.find(key.getBytes, 0, key.length, KeyHash.of(key.getBytes))
    if (found >= 0) found else written.add(key.getBytes, 0, key.length, KeyHash.of(key.getBytes))
  }

  def get(key: String): Option[String] = {
    val address = cache.find(key.getBytes, KeyHash.of(key.getBytes))
    Option.when(address >= 0)(new String(cache.value(address)))
  }

  def verify(): Unit = {
    val missing = model.filter { case (key, value) =>
      val found = get(key)
      found.foreach(v => assert(v == value, s"of $key"))
      found.isEmpty
    }
    if (cache.isComplete) assert(missing.isEmpty)
    assert(cache.size == model.size - missing.size)
    assert(heap.usedBytes == cache.allocatedBytes)
  }

  /** The keys of the column family of `key` in order, from `key` on. */
  def sortedFrom(key: String): Vector[String] = {
    val entries = cache.sortedKeys(key(0) << 8 | key(1)).from(key.getBytes)
    Iterator.continually(entries.next()).takeWhile(_ >= 0).map(entry => new String(cache.keys.key(entry))).toVector
  }
}

/** `rows` rows of 30 bytes, and how far they have been read. */
private[cache] final class StoredRows(rows: Int) extends OrderedRows {
  var at = 0
  override def key: Array[Byte] = if (at == rows) null else f"row$at%06d".getBytes
  override def value: Array[Byte] = s"value of $at".padTo(30, '.').getBytes
  override def advance(): Unit = at += 1
  override def close(): Unit = ()
}

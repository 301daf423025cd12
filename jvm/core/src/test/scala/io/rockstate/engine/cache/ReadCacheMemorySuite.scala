package io.rockstate.engine.cache

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.memory.{HeapMemory, ScarceHeap}
import io.rockstate.engine.records.KeyHash

/** What a cache gives back, and what is left of it where the JVM has no memory. */
class ReadCacheMemorySuite extends AnyFunSuite {
  test("a cache of small rows that has to yield most of its memory keeps rows, not an index of those that are gone") {
    val heap = new HeapMemory(8L << 20)
    val cache = new ReadCache(heap, startsComplete = true)
    (1 to 10).foreach(_ => heap.addStore())
    (1 to 200000).foreach(i => cache.put(s"k$i".getBytes, KeyHash.of(s"k$i".getBytes), Array(1)))
    assert(!heap.reserveForCache(8L << 20, held = 0))
    cache.yieldMemory()
    val share = (8L << 20) * 3 / 4 / 10
    assert(cache.allocatedBytes <= share)
    assert(cache.size > 1000)
  }

  test("what the rows of a state took that has shrunk is given back") {
    val checked = new CheckedCache(64L << 20)
    (1 to 100000).foreach(i => checked.put(s"row$i", "x" * 30))
    (1 to 99900).foreach(i => checked.remove(s"row$i"))
    val before = checked.heap.usedBytes
    checked.cache.yieldMemory()
    assert(checked.heap.usedBytes < before - 100000 * 8)
    checked.verify()
    assert(checked.cache.isComplete)
  }

  test("a JVM that is out of memory leaves no half of an entry behind") {
    var isOut = false
    val heap = new HeapMemory(8L << 20) {
      override def chargeCache(bytes: Long): Unit =
        if (isOut && bytes > 0) throw new OutOfMemoryError("as the test wants it") else super.chargeCache(bytes)
    }
    val cache = new ReadCache(heap, startsComplete = true)
    cache.sortedKeys(0)
    def put(n: Int): Unit = cache.put(s"k$n".getBytes, KeyHash.of(s"k$n".getBytes), s"$n".getBytes)
    (1 to 50).foreach(put)
    isOut = true
    assertThrows[OutOfMemoryError]((51 to 100000).foreach(put))
    isOut = false
    assert(!cache.isComplete && cache.size == 0)
    (1 to 5000).foreach(put)
    val cursor = cache.cursor()
    assert(Iterator.continually(cursor.next()).takeWhile(identity).size == 5000 && cache.size == 5000)
    cache.close()
    assert(heap.usedBytes == 0)
  }

  test("a cache that could not forget half an entry for want of memory says so until it can") {
    val heap = new ScarceHeap(8L << 20)
    val cache = new ReadCache(heap, startsComplete = true)
    cache.sortedKeys(0)
    def put(n: Int): Unit = cache.put(s"k$n".getBytes, KeyHash.of(s"k$n".getBytes), s"$n".getBytes)
    (1 to 50).foreach(put)
    assert(cache.isWhole)
    heap.isOut = true
    assertThrows[OutOfMemoryError]((51 to 100000).foreach(put))
    heap.isOut = false
    assert(!cache.isWhole && !cache.isComplete)
    cache.clear()
    assert(cache.isWhole && cache.size == 0)
    (1 to 5000).foreach(put)
    val cursor = cache.cursor()
    assert(Iterator.continually(cursor.next()).takeWhile(identity).size == 5000 && cache.size == 5000)
    cache.close()
    assert(heap.usedBytes == 0)
  }

  test("a chunk that is emptied while it is filled does not end that") {
    val checked = new CheckedCache(8L << 20)
    (0 until 5000).foreach(n => checked.put(f"row$n%06d", "x" * 100))
    (0 until 5000).filter(_ % 10 > 0).foreach(n => checked.remove(f"row$n%06d"))
    checked.cache.noteScan(20000)
    checked.cache.put("too large".getBytes, KeyHash.of("too large".getBytes), new Array[Byte](1 << 20))
    assert(!checked.cache.isComplete)
    val before = checked.cache.moves
    checked.cache.fill(new StoredRows(5000), 5000)
    assert(checked.cache.moves > before && checked.cache.isComplete)
  }
}

package io.rockstate.engine.cache

import java.nio.{ByteBuffer, ByteOrder}

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.KeyHash

/** The cache beside a map: what it has must be right, and where it is complete it must have everything. */
class ReadCacheSuite extends AnyFunSuite {

  private def random(seed: Int, steps: Int, keys: Int, longest: Int, heapBytes: Long): CheckedCache = {
    val random = new Random(seed)
    val checked = new CheckedCache(heapBytes)
    (1 to steps).foreach { step =>
      val key = s"key${random.nextInt(keys)}" * (1 + random.nextInt(2))
      val text = random.alphanumeric.take(random.nextInt(longest)).mkString
      val value = if (random.nextBoolean()) text else text.map(c => if (c.isDigit) c else '\u0000') // is packed
      random.nextInt(10) match {
        case 0 | 1 | 2 | 3 => checked.put(key, value)
        case 4 => checked.append(key, value.take(3))
        case 5 | 6 => checked.remove(key)
        case _ => checked.get(key).foreach(found => assert(found == checked.model(key)))
      }
      if (step % 500 == 0) checked.verify()
    }
    checked.verify()
    checked
  }

  test("with ample memory it has every row, whatever is written, appended and removed") {
    (1 to 5).foreach(seed => assert(random(seed, steps = 5000, keys = 700, longest = 60, 64L << 20).cache.isComplete))
  }

  test("with little memory it forgets rows, but has none wrong") {
    (1 to 10).foreach { seed =>
      val checked = random(seed, steps = 5000, keys = 700, longest = 60, 32L << 10)
      assert(!checked.cache.isComplete && checked.cache.size > 20)
      assert(checked.heap.usedBytes < (32L << 10) + 16384)
    }
  }

  test("rows that are too large for it are not cached, and it says that it is not complete") {
    val checked = random(1, steps = 2000, keys = 100, longest = 3000, 64L << 10)
    assert(!checked.cache.isComplete)
  }

  test("a row that is too large for it is not cached however little it takes when packed") {
    val checked = new CheckedCache(64L << 20)
    checked.put("zeros", "\u0000" * (Entry.MostBytes + 1))
    assert(!checked.cache.isComplete && checked.get("zeros").isEmpty)
    checked.put("most", "\u0000" * (Entry.MostBytes - 8))
    checked.put("most", "\u0000" * (Entry.MostBytes + 1))
    assert(checked.get("most").isEmpty)
    checked.verify()
  }

  test("a row of 48 bytes takes 1.35 times as much at most, however many there are") {
    val heap = new HeapMemory(512L << 20)
    val cache = new ReadCache(heap, startsComplete = true)
    val (key, value) = (ByteBuffer.allocate(18), ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN))
    (1 to 1000000).foreach { i =>
      key.putLong(10, i * 0x9e3779b97f4a7c15L)
      value.putLong(8, 1 + i % 60).putLong(16, 250L * i).putLong(24, i & 0x3ff)
      cache.put(key.array, KeyHash.of(key.array), value.array)
      if (i >= 50000 && i % 10000 == 0) assert(cache.allocatedBytes <= i * 48L * 1.35, s"for $i rows")
    }
    assert(cache.isComplete && cache.size == 1000000)
  }

  test("rows that are read stay, those that are not go first") {
    val checked = new CheckedCache(256L << 10)
    (1 to 100).foreach(i => checked.put(s"hot$i", "x" * 40))
    (1 to 20000).foreach { i =>
      checked.put(s"cold$i", "x" * 40)
      if (i % 50 == 0) (1 to 100).foreach(hot => checked.get(s"hot$hot"))
    }
    val kept = (1 to 100).count(i => checked.get(s"hot$i").isDefined)
    assert(kept == 100)
    checked.verify()
  }

  test("a row count tells when it is complete again") {
    val checked = new CheckedCache(1L << 20)
    checked.put("a", "1")
    checked.cache.clear()
    assert(!checked.cache.isComplete && checked.get("a").isEmpty)
    checked.cache.noteRows(1)
    assert(!checked.cache.isComplete)
    checked.put("a", "1")
    checked.cache.noteRows(1)
    assert(checked.cache.isComplete)
  }

  test("a cache that has more than its share yields when another asks in vain") {
    val heap = new HeapMemory(1L << 20)
    val (large, small) = (new ReadCache(heap, startsComplete = true), new ReadCache(heap, startsComplete = true))
    heap.addStore()
    heap.addStore()
    def fill(cache: ReadCache, rows: Int): Unit =
      (1 to rows).foreach(i => cache.put(s"key$i".getBytes, KeyHash.of(s"key$i".getBytes), ("x" * 100).getBytes))
    fill(large, 20000)
    fill(small, 100)
    assert(small.size == 0)
    large.yieldMemory()
    assert(large.allocatedBytes <= (1L << 20) * 3 / 4 / 2 && large.size > 0)
    fill(small, 100)
    assert(small.size == 100)
    Seq(large, small).foreach(_.close())
    assert(heap.usedBytes == 0)
  }

  test("it is filled when scans have cost as much as that, and complete then") {
    val checked = new CheckedCache(8L << 20)
    checked.cache.clear()
    val stored = new StoredRows(5000)
    assert(!checked.cache.isWorthFilling(5000))
    (1 to 4).foreach(_ => checked.cache.noteScan(1000))
    assert(!checked.cache.isWorthFilling(5000))
    checked.cache.noteScan(1000)
    assert(checked.cache.isWorthFilling(5000))
    checked.put("row000007", "newer than what is stored")
    checked.cache.fill(stored, 5000)
    assert(checked.cache.isComplete && checked.cache.size == 5000 && !checked.cache.isWorthFilling(5000))
    assert(checked.get("row000007").contains("newer than what is stored"))
    assert(checked.get("row004999").exists(_.startsWith("value of 4999.")))
  }

  test("filling stops where memory ends, and is not tried again soon") {
    val checked = new CheckedCache(64L << 10)
    checked.cache.clear()
    val stored = new StoredRows(5000)
    checked.cache.noteScan(5000)
    checked.cache.fill(stored, 5000)
    assert(!checked.cache.isComplete && stored.at < 2000)
    assert(checked.heap.usedBytes == checked.cache.allocatedBytes && checked.heap.usedBytes < (64L << 10) + 16384)
    (1 to 8).foreach(_ => checked.cache.noteScan(5000))
    assert(!checked.cache.isWorthFilling(5000))
    checked.cache.noteScan(5000)
    assert(checked.cache.isWorthFilling(5000))
  }

  test("a scan's rows are taken in where all of them have room, and not again soon where they had none") {
    val checked = new CheckedCache(64L << 10)
    checked.cache.clear()
    assert(checked.cache.mayTakeIn(1000) && !checked.cache.mayTakeIn(3000))
    val stored = new StoredRows(1500)
    def take() = checked.cache.takeIn(stored.key, KeyHash.of(stored.key), stored.value)
    while (take()) stored.advance()
    assert(stored.at > 200 && checked.cache.moves > 1)
    checked.cache.giveUpFilling(1000)
    (1 to 7).foreach(_ => checked.cache.noteScan(1000))
    assert(!checked.cache.mayTakeIn(1000))
    checked.cache.clear()
    assert(checked.cache.mayTakeIn(1000))
  }

  test("without memory it is not filled") {
    val checked = new CheckedCache(0)
    checked.cache.noteScan(1000)
    assert(!checked.cache.isWorthFilling(10))
  }

  test("rows in key order, whatever is written and removed before and after they were first asked for") {
    (1 to 10).foreach { seed =>
      val random = new Random(seed)
      val checked = new CheckedCache(8L << 20)
      val key = () => s"${Seq("fa", "fb")(random.nextInt(2))}${random.nextInt(3000)}"
      (1 to 30000).foreach { step =>
        if (random.nextInt(5) < (if (step / 5000 % 2 == 0) 3 else 2))
          checked.put(key(), random.alphanumeric.take(random.nextInt(40)).mkString)
        else checked.remove(key())
        if (step > 2000 && step % 500 == 0) {
          val from = key()
          val expected = checked.model.keys.filter(k => k.take(2) == from.take(2) && k >= from).toVector.sorted
          assert(checked.sortedFrom(from) == expected)
        }
      }
      checked.verify()
      assert(checked.cache.isComplete)
      checked.cache.close()
      assert(checked.heap.usedBytes == 0)
    }
  }

  test("rows that come and go leave room: it stays complete") {
    val checked = new CheckedCache(1L << 20)
    (1 to 100000).foreach { i =>
      checked.put(s"${if (i % 7 == 0) "static" else "passing"}$i", "x" * 30)
      if (i > 5000) checked.remove(s"passing${i - 5000}")
      if (i > 7 * 2000) checked.remove(s"static${i - 7 * 2000}")
      if (i == 1000) assert(checked.sortedFrom("pa").size == 858)
    }
    checked.verify()
    assert(checked.cache.isComplete)
    Seq("pa", "st").foreach { family =>
      val differing =
        checked.sortedFrom(family).zipAll(checked.model.keys.filter(_.startsWith(family)).toVector.sorted, "", "")
      assert(differing.find { case (found, expected) => found != expected }.isEmpty)
    }
  }

  test("a cache whose rows were mostly removed does not grow for new ones") {
    val checked = new CheckedCache(64L << 20)
    (1 to 50000).foreach(i => checked.put(s"row$i", "x" * 30))
    val grown = checked.cache.allocatedBytes
    (1 to 45000).foreach(i => checked.remove(s"row$i"))
    (1 to 40000).foreach(i => checked.put(s"new$i", "x" * 30))
    assert(checked.cache.allocatedBytes <= grown + (256 << 10))
    checked.verify()
    assert(checked.cache.isComplete)
  }

  test("without memory it holds nothing and is never complete") {
    val checked = new CheckedCache(0)
    checked.put("a", "1")
    checked.cache.noteRows(0)
    assert(!checked.cache.isComplete && checked.get("a").isEmpty)
  }

  test("few rows hold little memory, and larger ones take what they need") {
    val checked = new CheckedCache(heapBytes = 64L << 20)
    (1 to 20).foreach(n => checked.put(s"key$n", "value" * 4))
    assert(checked.heap.usedBytes < 3000)
    checked.put("large", "x" * 30000)
    (21 to 5000).foreach { n =>
      checked.put(s"key$n", "value" * 4)
      if (n % 100 == 0) {
        checked.remove(s"key${n - 50}")
        checked.verify()
      }
    }
    assert(checked.cache.isComplete)
    checked.verify()
    // 5,000 rows of 40 bytes with their headers, 8,192 slots, and a fifth for growth.
    assert(checked.heap.usedBytes < (5000 * 40 + 30008 + 8192 * 8) * 6 / 5)
  }

  test("a cache that cannot grow keeps to what it has, and has no row wrong") {
    val heap = new HeapMemory(64L << 10)
    val others = heap.totalBytes / 4 * 3 - (4 << 10)
    heap.chargeCache(others)
    val cache = new ReadCache(heap, startsComplete = true)
    (1 to 2000).foreach { n =>
      val key = s"key${n % 300}".getBytes
      cache.put(key, KeyHash.of(key), s"value$n".getBytes)
      val found = cache.find(key, KeyHash.of(key))
      assert(found < 0 || new String(cache.value(found)) == s"value$n")
    }
    assert(!cache.isComplete && cache.size > 0)
    assert(cache.allocatedBytes < (8 << 10))
    assert(heap.usedBytes == others + cache.allocatedBytes)
  }
}

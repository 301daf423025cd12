package io.rockstate.engine.loaded

import java.nio.charset.StandardCharsets.ISO_8859_1
import java.util.concurrent.{CyclicBarrier, Executors, Future, TimeUnit}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.cache.{CacheAddresses, ReadCache, WriteThrough}
import io.rockstate.engine.layers.{ChangeLayer, Merge, Put, Write}
import io.rockstate.engine.loaded.LoadedState.LayerOf
import io.rockstate.engine.memory.{HeapMemory, ScarceHeap}
import io.rockstate.engine.records.{KeyHash, KeyedRecords}
import io.rockstate.versions.CommittedVersion

/** The cache of a loaded version, which may come back a commit behind. */
class LeasedCacheSuite extends AnyFunSuite {
  private val keys = (0 until 1000).map(n => s"fa$n")
  private val heap = new HeapMemory(16L << 20)

  /** Versions of a store with these keys. */
  private def version(number: Long): CommittedVersion = {
    val empty = CommittedVersion.emptyAt(number)
    if (number == 0) empty else empty.copy(columnFamilies = empty.columnFamilies.map(_.copy(rows = keys.size.toLong)))
  }
  private val (none, first, second) = (version(0), version(1), version(2))

  private def changesOf(writes: Seq[Write])(cache: ReadCache): WriteThrough = {
    val changes = new KeyedRecords
    writes.foreach(Write.add(changes, _))
    val addresses = new CacheAddresses(cache, changes)
    addresses.lookUp()
    new WriteThrough(cache, addresses, new ChangeLayer(changes, 0))
  }

  /** What a commit leaves that appends to each row. */
  private def appends(operand: String): ReadCache => WriteThrough = changesOf(keys.map(Merge(_, operand)))

  /** Leases the cache at one version and gives it back for the next, without the changes that lead there. */
  private def commit(cache: LeasedCache, from: CommittedVersion, to: CommittedVersion)(
      changes: ReadCache => WriteThrough
  ): Unit = {
    assert(cache.lease() && !cache.lease(), "one at a time")
    cache.giveBack(to, Some(changes(cache.of(from))))
    assert(cache.isBehind)
  }

  private def values(cache: ReadCache): Set[Option[String]] = keys.map { key =>
    val bytes = key.getBytes(ISO_8859_1)
    val address = cache.find(bytes, KeyHash.of(bytes))
    Option.when(address >= 0)(new String(cache.value(address), ISO_8859_1))
  }.toSet

  private def requireGivenBack(cache: LeasedCache): Unit = {
    cache.close()
    assert(heap.usedBytes == 0)
  }

  test("the next transaction finds the rows that the last one committed") {
    val cache = new LeasedCache(heap, none)
    commit(cache, none, first)(appends("1"))
    commit(cache, first, second)(appends("2"))
    assert(cache.lease())
    val rows = cache.of(second)
    assert(rows.isComplete && values(rows) == Set(Some("12")) && !cache.isBehind)
    cache.giveBack(second, None)
    requireGivenBack(cache)
  }

  test("whoever brings it forward, and however many at once, each change is written once") {
    val threads = Executors.newFixedThreadPool(3)
    val together = new CyclicBarrier(3)
    (1 to 50).foreach { _ =>
      val cache = new LeasedCache(heap, none)
      commit(cache, none, first)(appends("1"))
      assert(cache.lease())
      def atOnce[T](body: => T): Future[T] = threads.submit { () =>
        together.await()
        body
      }
      val others = Seq.fill(2)(atOnce(cache.bringForward()))
      assert(atOnce(values(cache.of(first))).get(10, TimeUnit.SECONDS) == Set(Some("1")))
      others.foreach(_.get(10, TimeUnit.SECONDS))
      cache.giveBack(first, None)
      requireGivenBack(cache)
    }
    threads.shutdown()
  }

  test("a transaction that ends before it has used it leaves it as it is") {
    val cache = new LeasedCache(heap, none)
    commit(cache, none, first)(appends("1"))
    assert(cache.lease())
    cache.endLease()
    assert(cache.isBehind && cache.lease())
    assert(values(cache.of(first)) == Set(Some("1")))
    cache.giveBack(first, None)
    requireGivenBack(cache)
  }

  test("of changes that could be written only in part nothing is left") {
    val cache = new LeasedCache(heap, none)
    commit(cache, none, first)(appends("1"))
    val broken = new KeyedRecords
    keys.take(10).map(Merge(_, "2")).foreach(Write.add(broken, _))
    val key = keys(10).getBytes(ISO_8859_1)
    broken.add(broken.addKey(key, 0, key.length, KeyHash.of(key)), key, start = 0, end = 99, value = 50)
    commit(cache, first, second) { rows =>
      new WriteThrough(rows, new CacheAddresses(rows, broken), new ChangeLayer(broken, 0))
    }
    assertThrows[IndexOutOfBoundsException](cache.bringForward())
    assert(cache.lease())
    val rows = cache.of(second)
    assert(!rows.isComplete && values(rows) == Set(None))
    cache.giveBack(second, None)
    requireGivenBack(cache)
  }

  test("where there is no memory to write changes, nor to forget what was written, the rows are no version's") {
    val scarce = new ScarceHeap(16L << 20)
    val cache = new LeasedCache(scarce, none)
    commit(cache, none, first)(changesOf(keys.take(10).map(Put(_, "1"))))
    cache.bringForward()
    commit(cache, first, second)(changesOf(keys.map(Put(_, "2"))))
    scarce.isOut = true
    assertThrows[OutOfMemoryError](cache.bringForward())
    scarce.isOut = false
    assert(cache.lease())
    val rows = cache.of(second)
    assert(!rows.isComplete && rows.size == 0 && values(rows) == Set(None))
    cache.giveBack(second, None)
    cache.close()
    assert(scarce.usedBytes == 0)
  }

  test("rows of another version than the one that is held are of no use") {
    val cache = new LeasedCache(heap, none)
    commit(cache, none, first)(appends("1"))
    assert(cache.lease())
    val rows = cache.of(second)
    assert(!rows.isComplete && values(rows) == Set(None))
    cache.giveBack(second, None)
    requireGivenBack(cache)
  }

  test("what it lacks can be left out for the changes of another version, and what it has not") {
    val (cache, other, third) = (new LeasedCache(heap, none), version(2), version(3))
    commit(cache, none, first)(appends("1"))
    val changes = new KeyedRecords
    keys.map(Merge(_, "3")).foreach(Write.add(changes, _))
    val taken = LayerOf(other, DeltaSize(1, 1), new ChangeLayer(changes, 0))
    commit(cache, first, second)(appends("2"))
    cache.turn(second, first, None)
    commit(cache, first, second)(appends("2"))
    cache.turn(second, first, Some(taken))
    commit(cache, other, third)(appends("4"))
    cache.bringForward()
    cache.turn(third, other, Some(taken))
    assert(cache.lease())
    val rows = cache.of(third)
    assert(rows.isComplete && values(rows) == Set(Some("134")))
    cache.giveBack(third, None)
    requireGivenBack(cache)
  }

  test("closed while it is in use, or behind, it gives its memory back") {
    val behind = new LeasedCache(heap, none)
    commit(behind, none, first)(appends("1"))
    requireGivenBack(behind)
    assert(!behind.lease())
    behind.bringForward()
    assert(heap.usedBytes == 0, "what comes late is not written any more")
    val leased = new LeasedCache(heap, none)
    assert(leased.lease())
    val changes = appends("1")(leased.of(none))
    leased.close()
    leased.giveBack(first, Some(changes))
    assert(heap.usedBytes == 0 && !leased.isBehind)
  }

  test("a cache that is in use does not turn: who has it goes on with the rows that it has") {
    val cache = new LeasedCache(heap, none)
    commit(cache, none, first)(appends("1"))
    assert(cache.lease())
    val rows = cache.of(first)
    cache.turn(first, none, None)
    assert(values(rows) == Set(Some("1")))
    cache.giveBack(second, Some(appends("2")(rows)))
    assert(cache.lease() && values(cache.of(second)) == Set(Some("12")))
    cache.giveBack(second, None)
    requireGivenBack(cache)
  }
}

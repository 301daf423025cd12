package io.rockstate.engine.cache

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.engine.layers.{ChangeLayer, Put, Write}
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeyIndex, KeyedRecords}

/** A cache that versions are written through to, beside their rows. */
class WriteThroughSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 200, sizeRange = 60)

  /** A key begins with its column family. */
  private val versions = Gen.listOf(Gen.listOf(Write.gen.map { case (key, value, kind) => ("fa" + key, value, kind) }))

  private def rowsOf(cache: ReadCache): Map[String, String] = {
    val cursor = cache.cursor()
    Iterator.continually(cursor).takeWhile(_.next()).map(at => Write.text(at.key) -> Write.text(at.value)).toMap
  }

  /** Puts and removes a large row until its gaps fill chunks: then what else is there moves. */
  private def moveEntries(cache: ReadCache): Unit = {
    val key = Write.bytes("fb")
    val index = new KeyIndex
    val id = index.add(key, 0, key.length, KeyHash.of(key))
    (1 to 20).foreach { _ =>
      cache.put(ReadCache.Nowhere, index, id, new Array[Byte](8000), 0, 8000)
      cache.remove(ReadCache.Unknown, index, id)
    }
  }

  /** Commits writes as a transaction does.
    *
    * @param meanwhile what happens between the look-up of the first half of the keys and the commit
    */
  private def commit(cache: ReadCache, writes: Seq[Write])(meanwhile: => Unit): Unit = {
    val changes = new KeyedRecords
    val addresses = new CacheAddresses(cache, changes)
    writes.zipWithIndex.foreach { case (write, n) =>
      Write.add(changes, write)
      if (n == writes.size / 2) addresses.lookUp()
    }
    addresses.lookUp()
    meanwhile
    changes.keepNetRecords()
    new WriteThrough(cache, addresses, new ChangeLayer(changes, 0)).write()
  }

  test("a complete cache has the next version's rows") {
    forAll(versions) { drawn =>
      val versions = drawn.map(Write.of)
      val cache = new ReadCache(new HeapMemory(1L << 20), startsComplete = true)
      versions.scanLeft(Map.empty[String, String])(Write.rowsAfter).tail.zip(versions).foreach { case (rows, writes) =>
        commit(cache, writes)(())
        assert(cache.isComplete && rowsOf(cache) == rows)
      }
    }
  }

  test("one whose entries have moved since the keys were looked up has them, too") {
    forAll(versions) { drawn =>
      val versions = drawn.map(Write.of)
      val cache = new ReadCache(new HeapMemory(1L << 20), startsComplete = true)
      versions.scanLeft(Map.empty[String, String])(Write.rowsAfter).tail.zip(versions).foreach { case (rows, writes) =>
        val before = cache.moves
        commit(cache, writes) {
          moveEntries(cache)
        }
        assert(cache.moves > before && cache.isComplete && rowsOf(cache) == rows)
      }
    }
  }

  test("what a transaction has written is known at its new address, too") {
    val cache = new ReadCache(new HeapMemory(1L << 20), startsComplete = true)
    val rows = (1 to 50).map(n => Put(s"fa$n", "before"))
    commit(cache, rows)(())
    val changes = new KeyedRecords
    val addresses = new CacheAddresses(cache, changes)
    Write.add(changes, Put("fa7", "after"))
    addresses.lookUp()
    val before = address(cache, "fa7")
    moveEntries(cache)
    addresses.lookUpForScan()
    assert(address(cache, "fa7") != before && addresses.isWritten(address(cache, "fa7")))
    assert(!addresses.isWritten(address(cache, "fa8")))
  }

  private def address(cache: ReadCache, key: String): Int =
    cache.find(Write.bytes(key), KeyHash.of(Write.bytes(key)))

  test("one that is not complete has no row wrong") {
    forAll(versions) { drawn =>
      val versions = drawn.map(Write.of)
      val cache = new ReadCache(new HeapMemory(1L << 20), startsComplete = false)
      versions.scanLeft(Map.empty[String, String])(Write.rowsAfter).tail.zip(versions).foreach { case (rows, writes) =>
        commit(cache, writes)(())
        assert(rowsOf(cache).toSet.subsetOf(rows.toSet))
        assert(Write.net(writes).values.forall(write => !write.isInstanceOf[Put] || rowsOf(cache).contains(write.key)))
      }
    }
  }
}

package io.rockstate.engine.cache

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.memory.HeapMemory

/** Beside the keys of entries, sorted anew each time. */
class SortedFamiliesSuite extends AnyFunSuite {

  private final class Checked {
    val heap = new HeapMemory(64L << 20)
    val entries = new EntryChunks(heap)
    val sorted = new SortedFamilies(entries, heap)
    val addresses = mutable.Map.empty[String, Int]

    private def append(key: String): Int = {
      if (!entries.hasRoom(Entry.size(key.length, 0))) entries.grow(Entry.size(key.length, 0).toInt, held = 0)
      entries.append(key.getBytes, 0, key.length, new PackedValue)
    }

    def add(key: String): Unit = {
      addresses(key) = append(key)
      sorted.add(addresses(key))
    }

    def remove(key: String): Unit = {
      val address = addresses.remove(key).get
      sorted.remove(address)
      entries.remove(address)
    }

    /** Moves all entries of the oldest chunk. */
    def move(): Unit = {
      val oldest = entries.oldest
      entries.growForMoves(entries.bytes(oldest).length)
      entries.foreachIn(oldest) { address =>
        val key = new String(entries.key(address))
        addresses(key) = entries.move(address)
        sorted.replace(addresses(key))
      }
      entries.retire(oldest)
    }

    /** Addresses of a family's entries in the order of their keys, from this one on. */
    def from(key: String): Vector[Int] = {
      val cursor = sorted.keys(family(key)).from(key.getBytes)
      Iterator.continually(cursor.next()).takeWhile(_ >= 0).toVector
    }

    def verify(key: String): Unit = {
      val expected = addresses.keys.filter(other => family(other) == family(key) && other >= key).toVector.sorted
      assert(from(key) == expected.map(addresses))
      assert(heap.usedBytes == entries.allocatedBytes + sorted.allocatedBytes)
    }
  }

  private def family(key: String): Int = key(0) << 8 | key(1)

  private def filled(random: Random, keys: Int): Checked = {
    val checked = new Checked
    (1 to keys).foreach { _ =>
      val next = key(random)
      if (!checked.addresses.contains(next)) checked.add(next)
    }
    checked
  }

  private def key(random: Random): String = s"${Seq("fa", "fb", "fc")(random.nextInt(3))}${random.nextInt(3000)}"

  test("the order of those that are asked for is kept up, whatever is added, removed and moved") {
    (1 to 5).foreach { seed =>
      val random = new Random(seed)
      val checked = filled(random, keys = 2000)
      checked.verify("fa") // "fb" is asked for later, "fc" not at all
      (1 to 10000).foreach { step =>
        val next = key(random)
        if (checked.addresses.contains(next)) checked.remove(next) else checked.add(next)
        if (step % 1000 == 0) checked.move()
        if (step % 250 == 0) checked.verify(s"fa${random.nextInt(3000)}")
        if (step > 5000 && step % 250 == 0) checked.verify(s"fb${random.nextInt(3000)}")
      }
    }
  }

  test("memory is charged for what is kept in order, and only for that") {
    val checked = filled(new Random(1), keys = 5000)
    assert(checked.sorted.allocatedBytes == 0)
    checked.verify("fa")
    val one = checked.sorted.allocatedBytes
    assert(one > 0)
    checked.verify("fb")
    assert(checked.sorted.allocatedBytes > one * 3 / 2)
    checked.sorted.clear()
    assert(checked.sorted.allocatedBytes == 0 && checked.heap.usedBytes == checked.entries.allocatedBytes)
    checked.verify("fa")
  }

  test("a family without entries has an order, too") {
    val checked = new Checked
    assert(checked.from("fa").isEmpty)
    checked.add("fa1")
    checked.add("fb1")
    checked.verify("fa")
  }
}

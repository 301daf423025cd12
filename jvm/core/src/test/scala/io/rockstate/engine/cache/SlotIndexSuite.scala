package io.rockstate.engine.cache

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.memory.HeapMemory

/** Beside a map, with hashes of the suite's own making: many the same, many in one row of slots, and beyond the last slot. */
class SlotIndexSuite extends AnyFunSuite {

  private final class Checked(hashOf: String => Int) {
    val heap = new HeapMemory(64L << 20)
    val entries = new EntryChunks(heap)
    val slots = new SlotIndex(entries, heap)
    val model = mutable.Map.empty[String, Int]

    private def append(key: String): Int = {
      if (!entries.hasRoom(Entry.size(key.length, 0))) entries.grow(Entry.size(key.length, 0).toInt, held = 0)
      entries.append(key.getBytes, 0, key.length, new PackedValue)
    }

    def find(key: String): Int = slots.find(s"<$key>".getBytes, 1, key.length, hashOf(key))

    def add(key: String): Unit = {
      model(key) = append(key)
      slots.add(hashOf(key), model(key))
    }

    def move(key: String): Unit = {
      assert(find(key) >= 0, s"of $key") // what is not there is looked for without end
      val slot = slots.slotOf(model(key), hashOf(key))
      model(key) = append(key)
      slots.replace(slot, model(key))
    }

    def remove(key: String): Unit = {
      assert(find(key) >= 0, s"of $key")
      slots.remove(find(key))
      model -= key
    }

    def verify(keys: Iterable[String]): Unit = {
      keys.foreach { key =>
        val slot = find(key)
        assert((if (slot < 0) None else Some(slots.address(slot))) == model.get(key), s"of $key")
      }
      model.foreach { case (key, address) => assert(slots.slotOf(address, hashOf(key)) == find(key)) }
      assert(slots.size == model.size)
      assert(heap.usedBytes == entries.allocatedBytes + slots.allocatedBytes)
    }
  }

  private def random(seed: Int, hashOf: String => Int): Unit = {
    val random = new Random(seed)
    val checked = new Checked(hashOf)
    val keys = (1 to 400).map(i => s"key$i")
    (1 to 3000).foreach { step =>
      val key = keys(random.nextInt(keys.size))
      if (!checked.model.contains(key)) checked.add(key)
      else if (random.nextInt(3) > 0) checked.remove(key)
      else checked.move(key)
      if (step % 20 == 0) checked.verify(keys)
    }
    keys.filter(checked.model.contains).foreach(checked.remove)
    checked.verify(keys)
  }

  private def number(key: String): Int = key.drop(3).toInt

  test("entries that have gone leave no memory behind, and those that stay are found") {
    val checked = new Checked(_.hashCode)
    val keys = (1 to 20000).map(i => s"key$i")
    keys.foreach(checked.add)
    val grown = checked.slots.allocatedBytes
    checked.slots.trim()
    assert(checked.slots.allocatedBytes == grown)
    keys.drop(100).foreach(checked.remove)
    checked.slots.trim()
    assert(checked.slots.allocatedBytes <= 100 * 2 * 8)
    checked.verify(keys)
    keys.drop(100).foreach(checked.add)
    checked.verify(keys)
  }

  test("an address that is not in it is an error") {
    val checked = new Checked(_.hashCode)
    (1 to 40).foreach(i => checked.add(s"key$i"))
    assertThrows[IllegalStateException](checked.slots.slotOf(1 << 20, 17))
  }

  test("hashes that spread") {
    (1 to 3).foreach(random(_, _.hashCode))
  }

  test("hashes that are the same for many keys") {
    (1 to 3).foreach(random(_, number(_) % 3))
  }

  test("hashes whose slots are in one row, across the end of the table") {
    (1 to 3).foreach(random(_, number(_) % 40 - 20))
  }

  test("hashes that have a slot in common, and nothing else") {
    (1 to 3).foreach(random(_, key => number(key) << 16 | number(key) % 2))
  }

  test("it grows with its entries, and gives that back") {
    val checked = new Checked(_.hashCode)
    val before = checked.slots.allocatedBytes
    (1 to 10000).foreach(i => checked.add(s"key$i"))
    checked.verify((1 to 20000).map(i => s"key$i"))
    assert(
      checked.slots.allocatedBytes >= 8 * 10000 / 4 * 5 && checked.slots.allocatedBytes <= 8 * 10000 / 4 * 5 * 3 / 2
    )
    checked.slots.clear()
    checked.model.clear()
    checked.verify((1 to 100).map(i => s"key$i"))
    assert(checked.slots.allocatedBytes == before)
    checked.slots.close()
    assert(checked.heap.usedBytes == checked.entries.allocatedBytes)
  }

  test("it grows once to the room for all that are expected, if there is as much") {
    val keys = (1 to 100000).map(i => s"key$i")
    def sizes(expected: Long): Vector[Long] = {
      val checked = new Checked(_.hashCode * 0x9e3779b1)
      checked.slots.expect(expected)
      val seen = keys.map { key =>
        checked.add(key)
        checked.slots.allocatedBytes
      }
      checked.verify(keys.take(1000))
      seen.distinct.toVector
    }
    val byHalf = sizes(0)
    val atOnce = sizes(keys.size.toLong)
    assert(atOnce.size < byHalf.size - 2)
    assert(atOnce.last <= keys.size * 12L && atOnce.dropRight(1) == byHalf.take(atOnce.size - 1))
    assert(sizes(Long.MaxValue) == byHalf)
    assert(sizes(10L << 20) == byHalf)
    assert(sizes(10).size == byHalf.size)
  }
}

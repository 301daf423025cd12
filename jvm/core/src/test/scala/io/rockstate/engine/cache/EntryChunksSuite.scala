package io.rockstate.engine.cache

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.KeyHash

/** Beside a map from addresses to rows. */
class EntryChunksSuite extends AnyFunSuite {

  private final class Checked(heapBytes: Long = 64L << 20) {
    val heap = new HeapMemory(heapBytes)
    val entries = new EntryChunks(heap)
    val model = mutable.LinkedHashMap.empty[Int, (String, String)]

    def append(key: String, value: String): Int = {
      val incoming = new PackedValue().set(s"<<$value".getBytes, 2, value.length)
      val size = Entry.size(key.length, incoming.storedLength)
      if (!entries.hasRoom(size)) assert(entries.grow(size.toInt, held = 0))
      val address = entries.append(s"<$key".getBytes, 1, key.length, incoming)
      assert(!model.contains(address))
      model(address) = (key, value)
      address
    }

    def overwrite(address: Int, value: String): Boolean = {
      val key = model(address)._1
      val isWritten = entries.overwrite(address, new PackedValue().set(s"<$value>".getBytes, 1, value.length))
      if (isWritten) model(address) = (key, value)
      isWritten
    }

    def remove(address: Int): Unit = {
      entries.remove(address)
      model -= address
    }

    /** Moves what is in a chunk to another one that has room for `more` bytes. */
    def compact(number: Int, more: Int): Unit = {
      entries.growForMoves(entries.liveBytes(number) + more)
      entries.foreachIn(number)(address => model(entries.move(address)) = model.remove(address).get)
      entries.retire(number)
    }

    def verify(): Unit = {
      val cursor = entries.cursor()
      val walked = Iterator
        .continually(cursor)
        .takeWhile(_.next())
        .map(at => at.address -> (new String(at.key), new String(at.value)))
        .toVector
      assert(walked.size == model.size && walked.toMap == model)
      model.foreach { case (address, (key, value)) =>
        assert(new String(entries.key(address)) == key && entries.hash(address) == KeyHash.of(key.getBytes))
        assert(entries.isKey(address, s"<$key>".getBytes, 1, key.length))
        assert(!entries.isKey(address, s"<$key>".getBytes, 0, key.length))
        assert(address < entries.addresses)
        val isRead = entries.isRead(address)
        if (address % 3 == 0) assert(new String(entries.value(address)) == value)
        assert(entries.isRead(address) == (isRead || address % 3 == 0))
      }
      assert(heap.usedBytes == entries.allocatedBytes)
    }
  }

  /** Some with many zero bytes, which are packed. */
  private def value(random: Random): String = {
    val text = random.alphanumeric.take(random.nextInt(60)).mkString
    if (random.nextBoolean()) text else text.map(c => if (random.nextInt(4) > 0) '\u0000' else c)
  }

  test("what is appended, overwritten, removed and moved is found at its address") {
    (1 to 10).foreach { seed =>
      val random = new Random(seed)
      val checked = new Checked(heapBytes = 256L << 10)
      val addresses = mutable.ArrayBuffer.empty[Int]
      (1 to 4000).foreach { step =>
        if (step % 100 == 0) {
          checked.compact(if (random.nextBoolean()) checked.entries.emptiest else checked.entries.oldest, more = 40)
          checked.verify()
          addresses.clear()
          addresses ++= checked.model.keys
        }
        if (addresses.size < 100 || random.nextInt(5) < 2) addresses += checked.append(s"key$step", value(random))
        else {
          val chosen = random.nextInt(addresses.size)
          if (random.nextBoolean()) checked.overwrite(addresses(chosen), value(random))
          else checked.remove(addresses.remove(chosen))
        }
      }
      checked.verify()
    }
  }

  test("a value is overwritten if it has room, up to the next multiple of eight bytes") {
    val checked = new Checked
    val address = checked.append("key", "123456") // 8 + 3 + 6 = 17 bytes of 24
    val next = checked.append("next", "value")
    assert(checked.overwrite(address, "x" * 13) && !checked.overwrite(address, "y" * 14))
    checked.verify()
    assert(checked.overwrite(address, "") && checked.overwrite(address, "z" * 13))
    checked.verify()
    assert(checked.model(next) == ("next", "value"))
  }

  test("the first chunk begins small and grows; addresses stay good") {
    val checked = new Checked
    checked.append("first", "value")
    assert(checked.entries.allocatedBytes <= 1024)
    (1 to 20000).foreach(i => checked.append(s"key$i", "x" * 30))
    checked.verify()
    assert(checked.entries.allocatedBytes < 20000 * 48 + (256 << 10) * 2)
  }

  test("an entry takes an eighth of a chunk at most, and a small budget has small chunks") {
    val (large, small) = (new Checked, new Checked(heapBytes = 64L << 10))
    assert(large.entries.takes(32 << 10) && !large.entries.takes((32 << 10) + 1))
    assert(small.entries.takes(512) && !small.entries.takes(513))
  }

  test("without memory it does not grow, but has a chunk to move entries to") {
    val checked = new Checked(heapBytes = 8L << 10)
    while (checked.entries.grow(1000, held = 0)) (1 to 10).foreach(i => checked.append(s"key$i", "x" * 80))
    val before = checked.model.size
    checked.compact(checked.entries.oldest, more = 0)
    checked.verify()
    assert(checked.model.size == before && before > 0)
  }

  test("a chunk without its removed entries is the emptiest, and moving the others gives their room back") {
    val checked = new Checked
    val addresses = (1 to 20000).map(i => checked.append(s"key$i", "x" * 30))
    val emptied = checked.entries.oldest
    val ofOldest = mutable.Set.empty[Int]
    checked.entries.foreachIn(emptied)(ofOldest += _)
    addresses.filter(address => ofOldest(address) && address % 5 > 0).foreach(checked.remove)
    assert(checked.entries.emptiest == emptied)
    assert(checked.entries.liveBytes(emptied) == checked.model.keys.count(ofOldest) * 48)
    val before = checked.entries.allocatedBytes
    checked.compact(emptied, more = 0)
    checked.entries.dropSpare()
    checked.verify()
    assert(checked.entries.allocatedBytes < before - (180 << 10))
  }

  test("entries move to half a chunk only, and are as good as unread there") {
    val checked = new Checked(heapBytes = 64L << 10) // chunks of 4 KB
    val addresses = (1 to 60).map(i => checked.append(f"key$i%02d", "x" * 50)) // 64 bytes each
    addresses.foreach(checked.entries.value(_))
    checked.entries.growForMoves(4 << 10)
    val targets = addresses.map(checked.entries.moveToHalf)
    assert(targets.count(_ >= 0) == 32 && targets.take(32).forall(_ >= 0))
    targets.take(32).zipWithIndex.foreach { case (target, i) =>
      assert(!checked.entries.isRead(target) && new String(checked.entries.key(target)) == f"key${i + 1}%02d")
      assert(new String(checked.entries.value(target)) == "x" * 50)
    }
  }

  test("a retired chunk of full size is kept to be used again, and given back if it is not") {
    val checked = new Checked
    (1 to 10000).foreach(i => checked.append(s"key$i", "x" * 30))
    checked.compact(checked.entries.oldest, more = 0)
    val held = checked.entries.allocatedBytes
    checked.entries.growForMoves(256 << 10)
    assert(checked.entries.allocatedBytes == held && checked.heap.usedBytes == held)
    checked.compact(checked.entries.oldest, more = 0)
    val heldWithSpare = checked.entries.allocatedBytes
    checked.entries.dropSpare()
    assert(checked.entries.allocatedBytes == heldWithSpare - (256 << 10))
    checked.verify()
  }

  test("the oldest chunks go first, and with the last one everything") {
    val checked = new Checked
    (1 to 20000).foreach(i => checked.append(s"key$i", "x" * 30))
    while (!checked.entries.isEmpty) {
      checked.entries.foreachIn(checked.entries.oldest) { address =>
        assert(checked.model.head._1 == address)
        checked.model -= address
      }
      checked.entries.dropOldest()
      checked.verify()
    }
    assert(checked.model.isEmpty && checked.heap.usedBytes == 0)
    checked.append("again", "from the beginning")
    checked.verify()
  }
}

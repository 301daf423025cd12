package io.rockstate.engine.records

import java.util.Arrays

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Beside a sorted list. */
class SortedKeysSuite extends AnyFunSuite {

  private final class Checked(sorted: Seq[String] = Nil) {
    val index = new KeyIndex
    val keys = SortedKeys.of(index, sorted.map(idOf).toArray)
    var model = sorted.sorted.toVector

    def idOf(key: String): Int = index.add(key.getBytes, 0, key.length, KeyHash.of(key.getBytes))

    def add(key: String): Unit = {
      keys.add(idOf(key))
      model = (model :+ key).sorted
    }

    def remove(key: String): Unit = {
      keys.remove(idOf(key))
      model = model.filter(_ != key)
    }

    def from(lower: String): Vector[String] = drained(keys.from(lower.getBytes))

    def drained(cursor: SortedKeys#Cursor): Vector[String] =
      Iterator.continually(cursor.next()).takeWhile(_ >= 0).map(id => new String(index.key(id))).toVector

    def verify(lower: String = ""): Unit = assert(from(lower) == model.filter(_ >= lower))
  }

  private def key(random: Random): String = f"${random.nextInt(5000)}%04d".take(1 + random.nextInt(4))

  test("ids come in the order of their keys, whatever is added and taken out") {
    (1 to 20).foreach { seed =>
      val random = new Random(seed)
      val checked = new Checked(Seq.fill(random.nextInt(1000))(key(random)).distinct)
      (1 to 4000).foreach { step =>
        val next = key(random)
        if (!checked.model.contains(next)) checked.add(next)
        else if (random.nextInt(3) > step / 2000) checked.remove(next)
        if (step % 100 == 0) checked.verify(key(random))
      }
      checked.verify()
    }
  }

  test("emptied and filled again") {
    val checked = new Checked((1 to 2000).map(i => f"k$i%05d"))
    checked.verify()
    val before = checked.keys.allocatedBytes
    checked.model.foreach(checked.remove)
    checked.verify()
    assert(checked.keys.allocatedBytes < before / 5)
    (1 to 2000).reverse.foreach(i => checked.add(f"k$i%05d"))
    checked.verify("k00777")
  }

  test("ascending keys fill their blocks") {
    val (ascending, random) = (new Checked, new Checked)
    (1 to 4096).foreach(i => ascending.add(f"k$i%05d"))
    new Random(1).shuffle((1 to 4096).toVector).foreach(i => random.add(f"k$i%05d"))
    ascending.verify()
    random.verify()
    assert(ascending.keys.allocatedBytes < random.keys.allocatedBytes * 0.9)
  }

  test("an id takes the place of another one with the same key") {
    val checked = new Checked((1 to 600).map(i => f"k$i%05d"))
    val moved = checked.idOf("k00300")
    checked.keys.replace(moved)
    checked.verify()
    assert(checked.keys.from("k00300".getBytes).next() == moved)
    assertThrows[IllegalStateException](checked.keys.replace(checked.idOf("k00300x")))
  }

  test("a cursor goes on through changes, and sees what comes behind it") {
    val checked = new Checked((0 until 1000).map(i => f"k${i * 10}%05d"))
    val cursor = checked.keys.from("k05000".getBytes)
    assert(new String(checked.index.key(cursor.next())) == "k05000")
    (0 until 1000).foreach(i => checked.add(f"k${i * 10 + 5}%05d"))
    assert(checked.drained(cursor) == checked.model.filter(_ > "k05000"))
    val before = checked.keys.from("k05000".getBytes)
    checked.add("k05000a")
    assert(checked.drained(before) == checked.model.filter(_ >= "k05000"))
  }

  test("bytes are unsigned") {
    val index = new KeyIndex
    val bytes = Vector(Array[Byte](1), Array[Byte](127), Array[Byte](-128), Array[Byte](-1), Array[Byte](-1, 0))
    val keys = SortedKeys.of(index, Array.emptyIntArray)
    new Random(1)
      .shuffle(bytes)
      .foreach(each => keys.add(index.add(each, 0, each.length, KeyHash.of(each))))
    val cursor = keys.from(Array.emptyByteArray)
    bytes.foreach(each => assert(Arrays.equals(index.key(cursor.next()), each)))
    assert(cursor.next() == -1)
  }
}

package io.rockstate.engine.cache

import java.nio.{ByteBuffer, ByteOrder}
import java.util.Arrays

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class PackedWordsSuite extends AnyFunSuite {
  private val Before = 3 // bytes in front of the value, and of what it is packed to

  private def packed(value: Array[Byte]): Array[Byte] = {
    val to = new Array[Byte](PackedWords.roomFor(value.length))
    val length = PackedWords.pack(new Array[Byte](Before) ++ value, Before, value.length, to)
    Arrays.copyOf(to, length)
  }

  private def unpacked(packed: Array[Byte], length: Int, behind: Int): Array[Byte] = {
    val value = new Array[Byte](length)
    PackedWords.unpack(Array.fill[Byte](Before)(-1) ++ packed ++ Array.fill[Byte](behind)(-1), Before, value)
    value
  }

  private def row(words: Long*): Array[Byte] = {
    val bytes = ByteBuffer.allocate(words.size * 8).order(ByteOrder.LITTLE_ENDIAN)
    words.foreach(bytes.putLong)
    bytes.array()
  }

  test("a row of small numbers takes half of their words, and a quarter of a byte for each") {
    assert(packed(row(0, 7, 300, 1000000)).length == 1 + 0 + 4 + 4 + 4)
    assert(packed(row(0, 1L << 32, java.lang.Double.doubleToLongBits(0.5))).length == 1 + 0 + 4 + 4)
    assert(packed(row(-1, Long.MinValue + 1, 0, 0, 0)).length == 2 + 8 + 8)
  }

  test("what is packed comes back, also where an array ends with it") {
    val random = new Random(17)
    (1 to 20000).foreach { _ =>
      val (length, zeros) = (random.nextInt(90), random.nextInt(8))
      val value = Array.fill(length)(if (random.nextInt(8) < zeros) 0.toByte else random.nextInt().toByte)
      val behind = random.nextInt(9)
      val bytes = packed(value)
      assert(Arrays.equals(unpacked(bytes, value.length, behind), value), s"${value.toSeq}, $behind behind")
    }
  }

  test("every number of bytes at either end of a word comes back") {
    for (kept <- 0 to 8; shift <- 0 to 8 - kept) {
      val word = if (kept == 0) 0L else (-1L >>> (64 - 8 * kept)) << (8 * shift % 64)
      assert(Arrays.equals(unpacked(packed(row(word, word)), 16, behind = 0), row(word, word)), s"$kept, $shift")
    }
  }

  test("a value that packing makes no shorter lies in the cache as it is, one that it does is a row again") {
    val value = new PackedValue
    val text = "no zeros, and no end of them".getBytes
    assert(!value.set(text, 0, text.length).isPacked && value.storedLength == text.length)
    assert(value.set(row(0, 1), 0, 16).isPacked && value.storedLength == 5 && value.length == 16)
    val tooLong = new Array[Byte](Entry.MostBytes + 1)
    assert(!value.set(tooLong, 0, tooLong.length).isPacked && value.length == tooLong.length)
  }
}

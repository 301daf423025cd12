package io.rockstate.engine.records

import scala.collection.mutable.ArrayBuffer

import org.scalatest.funsuite.AnyFunSuite

class ChunksSuite extends AnyFunSuite {
  private val ChunkBytes = 64 << 10

  private def fill(chunks: Chunks, size: Int, byte: Int): (Long, Array[Byte]) = {
    val place = chunks.reserve(size)
    val chunk = chunks.chunk(place)
    java.util.Arrays.fill(chunk, chunks.offset(place), chunks.offset(place) + size, byte.toByte)
    (place, chunk)
  }

  test("the first chunk begins small") {
    val chunks = new Chunks(ChunkBytes)
    fill(chunks, 10, 1)
    assert(chunks.allocatedBytes <= (4 << 10))
  }

  test("what was appended is found at its place and in the array that had it, while chunks grow and others follow") {
    val chunks = new Chunks(ChunkBytes)
    val written = ArrayBuffer.empty[(Long, Array[Byte], Int, Byte)]
    (1 to 300).foreach { n =>
      val size = 1 + n * 37 % 1500
      val (place, array) = fill(chunks, size, n)
      written += ((place, array, size, n.toByte))
    }
    written.foreach { case (place, array, size, byte) =>
      Seq(array, chunks.chunk(place)).foreach { bytes =>
        assert((0 until size).forall(i => bytes(chunks.offset(place) + i) == byte))
      }
    }
  }

  test(
    "a chunk takes as many bytes as if it had its full size from the beginning, and a larger piece has one of its own"
  ) {
    val chunks = new Chunks(ChunkBytes)
    fill(chunks, 10, 1)
    assert(chunks.hasRoom(ChunkBytes - 10) && !chunks.hasRoom(ChunkBytes - 9))
    fill(chunks, ChunkBytes - 10, 2)
    val (array, used) = chunks.current
    assert(used == ChunkBytes && array(9) == 1 && array(10) == 2)
    fill(chunks, ChunkBytes * 2, 3)
    assert(chunks.current._2 == ChunkBytes * 2 && !chunks.hasRoom(1))
  }
}

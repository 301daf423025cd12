package io.rockstate.format.wire

import org.rocksdb.{RocksDB, WriteBatch}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.errors.{CorruptFile, Unsupported}
import io.rockstate.format.delta.DeltaFile
import io.rockstate.format.wire.WriteBatchRecords._

class WriteBatchRecordsSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import WriteBatchRecordsSuite._

  private val sizes: Gen[Int] = Gen.oneOf(Gen.choose(0, 50), Gen.oneOf(127, 128, 129, 16383, 16384, 70000))
  private val shapes: Gen[List[Shape]] = Gen.listOf(for {
    tag <- Gen.oneOf(Put, Delete, Merge, DeleteRange)
    keySize <- sizes
    valueSize <- if (tag == Delete) Gen.const(0) else sizes
    seed <- Gen.choose(0, 255)
  } yield Shape(tag, keySize, valueSize, seed))

  test("records come back in order, each of exactly the announced size") {
    forAll(shapes) { shapes =>
      val expected = shapes.map(_.record)
      val bytes = encode(expected)
      assert(bytes.length == expected.map(_.size).sum)
      assert(decode(bytes, 0, bytes.length) == expected)
    }
  }

  test("a cursor walks only its range") {
    val expected = List(Record(Put, Vector(1, 2), Vector(3)), Record(Delete, Vector(9), Vector()))
    val bytes = encode(expected)
    val padded = Array.fill[Byte](7)(0x55) ++ bytes ++ Array.fill[Byte](5)(0x55)
    assert(decode(padded, 7, 7 + bytes.length) == expected)
  }

  test("batch header and records are byte for byte what RocksDB itself serializes") {
    RocksDB.loadLibrary()
    forAll(shapes) { shapes =>
      val expected = shapes.map(_.record)
      val batch = new WriteBatch()
      try {
        expected.foreach { record =>
          val (key, value) = (record.key.toArray, record.value.toArray)
          record.tag match {
            case Put => batch.put(key, value)
            case Delete => batch.delete(key)
            case Merge => batch.merge(key, value)
            case DeleteRange => batch.deleteRange(key, value)
            case other => throw new IllegalArgumentException(s"tag $other")
          }
        }
        val ours = new Array[Byte](BatchHeaderBytes) ++ encode(expected)
        writeBatchHeader(ours, 0, expected.size)
        assert(batch.data().sameElements(ours))
      } finally batch.close()
    }
  }

  test("a batch header writes its count little-endian at any offset") {
    val target = Array.fill[Byte](14)(0x55)
    writeBatchHeader(target, 1, 0x01020304)
    assert(target.toSeq == Seq[Byte](0x55, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 2, 1, 0x55))
  }

  test("a row beyond the largest frame is refused before anything is written") {
    intercept[Unsupported](pairSize(16, DeltaFile.MaxFrameBytes))
    intercept[Unsupported](pairSize(Int.MaxValue, Int.MaxValue))
    intercept[Unsupported](deleteSize(DeltaFile.MaxFrameBytes))
  }

  test("an unknown tag is corrupt, and the error names file, version and remedy") {
    val error = intercept[CorruptFile](decode(Array[Byte](0x03, 0), 0, 2))
    assert(error.file.contains("17.delta") && error.version.contains(17L))
    assert(error.problem.contains("tag 3") && error.remedy.contains("to batch 15 or an earlier one"))
  }

  test("records cut anywhere but at their borders are corrupt") {
    val expected = List(
      Record(Put, Vector(1, 2), Vector.fill(200)(3)),
      Record(Delete, Vector(4), Vector()),
      Record(Merge, Vector(5), Vector(6))
    )
    val bytes = encode(expected)
    val borders = expected.scanLeft(0)(_ + _.size)
    for (length <- 0 to bytes.length)
      if (borders.contains(length)) assert(decode(bytes, 0, length) == expected.take(borders.indexOf(length)))
      else intercept[CorruptFile](decode(bytes, 0, length))
  }

  test("lengths that are endless, negative or beyond the range are corrupt") {
    val x = 0x80.toByte
    val f = 0xff.toByte
    Seq(
      Array[Byte](Put, x, x, x, x, x, 1),
      Array[Byte](Put, f, f, f, f, 0x0f, 1),
      Array[Byte](Put, f, f, f, f, 0x7f, 1),
      Array[Byte](Put, 3, 1, 1),
      Array[Byte](Put, 1, 1, 2, 1)
    ).foreach(bytes => intercept[CorruptFile](decode(bytes, 0, bytes.length)))
  }

  test("garbage is corrupt or a list of records that fill it") {
    forAll(Gen.listOf(Gen.choose(-2, 16).map(_.toByte)).map(_.toArray)) { garbage =>
      try assert(decode(garbage, 0, garbage.length).map(_.size).sum == garbage.length)
      catch { case e: CorruptFile => assert(e.file.contains("17.delta")) }
    }
  }
}

object WriteBatchRecordsSuite {

  /** A record told in short. */
  private final case class Shape(tag: Byte, keySize: Int, valueSize: Int, seed: Int) {
    def record: Record = Record(tag, slice(keySize, 31), slice(valueSize, 37))
    private def slice(size: Int, step: Int): Vector[Byte] = Vector.tabulate(size)(i => (seed + i * step).toByte)
  }

  final case class Record(tag: Byte, key: Vector[Byte], value: Vector[Byte]) {
    def size: Int = if (tag == Delete) deleteSize(key.size) else pairSize(key.size, value.size)
  }

  def encode(records: Seq[Record]): Array[Byte] = {
    val bytes = new Array[Byte](records.map(_.size).sum)
    val end = records.foldLeft(0) { (at, record) =>
      val (key, value) = (record.key.toArray, record.value.toArray)
      val next = record.tag match {
        case Put => writePut(bytes, at, key, value)
        case Delete => writeDelete(bytes, at, key)
        case Merge => writeMerge(bytes, at, key, value)
        case DeleteRange =>
          val end = writePut(bytes, at, key, value)
          bytes(at) = DeleteRange
          end
        case other => throw new IllegalArgumentException(s"tag $other")
      }
      require(next == at + record.size, s"$next after ${at + record.size}")
      next
    }
    require(end == bytes.length)
    bytes
  }

  def decode(bytes: Array[Byte], from: Int, until: Int): List[Record] = {
    val cursor = new RecordCursor(bytes, from, until, "17.delta")
    Iterator
      .continually(cursor.next())
      .takeWhile(identity)
      .map(_ => Record(cursor.tag, cursor.key.toVector, cursor.value.toVector))
      .toList
  }
}

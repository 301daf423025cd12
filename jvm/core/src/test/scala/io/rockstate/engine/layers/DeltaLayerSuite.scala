package io.rockstate.engine.layers

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.CorruptFile
import io.rockstate.format.delta.DeltaFrame
import io.rockstate.format.wire.WriteBatchRecords

class DeltaLayerSuite extends AnyFunSuite {
  private val writes =
    Vector(Put("a", "1"), Removal("b"), Merge("c", "2"), Put("d", ""), Merge("a", "3"), Put("b", "4"))

  private def records(layer: ChangeLayer): Vector[(String, Int)] =
    Vector.tabulate(layer.keys)(n => (Write.text(layer.keyIndex.key(layer.keyId(n))), layer.record(layer.keyId(n))))

  test("the records of all frames, one after the other") {
    (1 to writes.size).foreach { size =>
      val layer = DeltaLayer.of(writes.grouped(size).map(Write.frame).toVector, "3.delta").get
      val found = records(layer).map { case (key, record) =>
        key -> (layer.isMerge(record), Option.when(!layer.isRemoval(record))(Write.text(layer.bytes(record))))
      }
      val expected = Vector("a" -> (false, Some("13")), "b" -> (false, Some("4")), "c" -> (true, Some("2")))
      assert(found == expected :+ "d" -> (false, Some("")))
    }
  }

  test("a removal stays one if nothing follows") {
    val layer = Write.layer(Vector(Put("a", "1"), Removal("a")))
    assert(records(layer).map { case (key, record) => key -> layer.isRemoval(record) } == Vector("a" -> true))
  }

  test("the bytes of the frames are kept, and counted") {
    val frame = Write.frame(Vector(Put("a", "x" * 10000)))
    val layer = DeltaLayer.of(Vector(frame), "3.delta").get
    assert(layer.table.chunk(0) eq frame.bytes)
    assert(layer.heapBytes > 10000 && layer.heapBytes < 40000)
  }

  test("what is appended is counted twice: it stays in its frame, and is put together") {
    val writes = Vector(Merge("a", "x" * 100000), Merge("a", "y" * 100000))
    val layer = DeltaLayer.of(Vector(Write.frame(writes)), "3.delta").get
    assert(layer.heapBytes > 400000)
  }

  test("there is none of frames that delete a range, wherever that is") {
    val bytes = new Array[Byte](WriteBatchRecords.pairSize(1, 1))
    WriteBatchRecords.writePut(bytes, 0, Write.bytes("a"), Write.bytes("c"))
    bytes(0) = WriteBatchRecords.DeleteRange
    val range = new DeltaFrame(bytes, 1)
    val others = Write.frame(writes)
    Vector(Vector(range), Vector(range, others), Vector(others, range)).foreach { frames =>
      assert(DeltaLayer.of(frames, "3.delta").isEmpty)
    }
  }

  test("a frame that does not hold as many records as it says makes the delta a corrupt one") {
    for (said <- Seq(writes.size - 1, writes.size + 1)) {
      val frame = new DeltaFrame(Write.frame(writes).bytes, said)
      val error = intercept[CorruptFile](DeltaLayer.of(Vector(frame), "3.delta"))
      assert(error.problem.contains(s"${writes.size} records, and says that it has $said"))
    }
  }

  test("a record that is cut off makes the delta a corrupt one, by its name") {
    val whole = Write.frame(writes).bytes
    val cut = new DeltaFrame(whole.dropRight(1), writes.size)
    assert(intercept[CorruptFile](DeltaLayer.of(Vector(cut), "3.delta")).getMessage.contains("3.delta"))
  }
}

package io.rockstate.engine.layers

import scala.collection.mutable.ArrayBuffer

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.db.WriteBatches
import io.rockstate.format.wire.{RecordCursor, WriteBatchRecords}

/** Beside what the writes of all layers, the oldest layer's first, do to each row. */
class LayerMergeSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 500, sizeRange = 60)

  /** Each layer's writes, oldest layer first. */
  private val histories = Gen.choose(1, 5).flatMap(Gen.listOfN(_, Gen.listOf(Write.gen)))

  /** The records that the database gets, as writes. */
  private def merged(history: Seq[Seq[Write]]): Vector[Write] = {
    val batches = ArrayBuffer.empty[Array[Byte]]
    val into = new WriteBatches(batches += _)
    LayerMerge.addTo(into, history.map(Write.layer).reverse.toArray)
    into.finish(Write.bytes("end"), Write.bytes("of the batch"))
    batches.toVector.flatMap(writesIn).dropRight(1)
  }

  private def writesIn(batch: Array[Byte]): Vector[Write] = {
    val cursor = new RecordCursor(batch, WriteBatchRecords.BatchHeaderBytes, batch.length, "of a suite")
    Vector.unfold(cursor) { at =>
      Option.when(at.next()) {
        val (key, value) = (Write.text(at.key), Write.text(at.value))
        val write = at.tag match {
          case WriteBatchRecords.Put => Put(key, value)
          case WriteBatchRecords.Merge => Merge(key, value)
          case _ => Removal(key)
        }
        (write, at)
      }
    }
  }

  test("of each key, in order, what its last put or removal and the merges since do; what those make void is left out") {
    forAll(histories) { drawn =>
      val history = drawn.map(Write.of)
      val nets = history.map(Write.net)
      val expected = history.flatten.map(_.key).distinct.sorted.flatMap { key =>
        val ofKey = nets.flatMap(_.get(key))
        ofKey.drop(ofKey.lastIndexWhere(!_.isInstanceOf[Merge]))
      }
      assert(merged(history) == expected)
    }
  }

  test("they make the same rows of a version as all writes do") {
    forAll(histories, Gen.mapOf(Gen.zip(Write.keys, Gen.alphaStr))) { (drawn, rows) =>
      val history = drawn.map(Write.of)
      assert(Write.rowsAfter(rows, merged(history)) == Write.rowsAfter(rows, history.flatten))
    }
  }
}

package io.rockstate.engine.layers

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.engine.records.KeyHash

class ChangeLayerSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300, sizeRange = 60)

  private val draws = Gen.listOf(Write.gen)

  private def find(layer: ChangeLayer, key: String): Option[Write] = {
    val record = layer.find(Write.bytes(key), KeyHash.of(Write.bytes(key)))
    Option.when(record >= 0) {
      if (layer.isRemoval(record)) Removal(key)
      else if (layer.isMerge(record)) Merge(key, Write.text(layer.bytes(record)))
      else Put(key, Write.text(layer.bytes(record)))
    }
  }

  test("a key has one record, of what the version's writes do to it together") {
    forAll(draws, Write.keys) { (drawn, other) =>
      val writes = Write.of(drawn)
      val layer = Write.layer(writes)
      val net = Write.net(writes)
      assert(layer.keys == net.size)
      (other :: writes.map(_.key)).foreach(key => assert(find(layer, key) == net.get(key)))
    }
  }

  test("keys come in the order of writing, and sorted by their unsigned bytes") {
    forAll(draws) { drawn =>
      val writes = Write.of(drawn)
      val layer = Write.layer(writes)
      val keys = writes.map(_.key).distinct
      def text(id: Int) = Write.text(layer.keyIndex.key(id))
      val walked = List.newBuilder[String]
      layer.foreachKey(walked += text(_))
      assert(walked.result() == keys)
      assert(keys.indices.map(n => text(layer.keyId(n))) == keys)
      assert(layer.ordered.toList.map(text) == keys.sorted)
    }
  }

  test("a position is that of the first key that is not below") {
    forAll(draws, Write.keys) { (drawn, key) =>
      val writes = Write.of(drawn)
      assert(Write.layer(writes).position(Write.bytes(key)) == writes.map(_.key).distinct.count(_ < key))
    }
  }

  test("the digest depends on what is done to each row and on the digest before, not on the order of the rows") {
    forAll(draws, draws) { (drawn, otherDrawn) =>
      val (some, others) = (Write.of(drawn), Write.of(otherDrawn))
      def digest(writes: Seq[Write], base: Long = 1) = Write.layer(writes).digestOn(base)
      val (net, otherNet) = (Write.net(some), Write.net(others))
      val inOtherOrder = net.toSeq.sortBy(_._1).map(_._2)
      assert(digest(some) == digest(inOtherOrder) && digest(some) == digest(inOtherOrder.reverse))
      assert((digest(some) == digest(others)) == (net == otherNet))
      assert(digest(some) != digest(some, base = 2))
    }
  }
}

package io.rockstate.engine.records

import java.util.Arrays

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class KeyOrderSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 200, sizeRange = 100)

  /** Few different bytes, so that keys share beginnings and are beginnings of each other. */
  private val keys = for {
    prefix <- Gen.listOf(Gen.oneOf(0, 255))
    ends <- Gen.listOf(Gen.listOf(Gen.oneOf(0, 1, 127, 128, 255)))
  } yield ends.distinct.map(end => (prefix ++ end).map(_.toByte).toArray)

  test("ids come in the unsigned byte order of their keys") {
    forAll(keys) { keys =>
      val index = new KeyIndex
      keys.foreach(key => index.add(key, 0, key.length, KeyHash.of(key)))
      val sorted = KeyOrder.sorted(index, keys.indices.toArray).map(id => keys(id).toVector).toVector
      assert(sorted == keys.sortWith((a, b) => Arrays.compareUnsigned(a, b) < 0).map(_.toVector).toVector)
    }
  }
}

package io.rockstate.engine.layers

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class LayerCursorSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300, sizeRange = 60)

  private val draws = Gen.listOf(Write.gen)

  test("the changes in a range, in key order, each with its record") {
    forAll(draws, Write.keys, Write.keys) { (drawn, lower, upper) =>
      val writes = Write.of(drawn)
      val layer = Write.layer(writes)
      val cursor = new LayerCursor(layer, Write.bytes(lower), Write.bytes(upper))
      val found = Iterator.continually(cursor).takeWhile(_.key != null).map { at =>
        val (key, record) = (Write.text(at.key), at.record)
        assert(at.isAt(Write.bytes(key)) && !at.isAt(Write.bytes(key + "x")))
        at.advance()
        key -> (if (layer.isRemoval(record)) None else Some(Write.text(layer.bytes(record))))
      }
      val expected =
        Write.net(writes).toVector.filter { case (key, _) => key >= lower && key < upper }.sortBy(_._1).map {
          case (key, Merge(_, operand)) => key -> Some(operand)
          case (key, write) => key -> write.on(None)
        }
      assert(found.toVector == expected)
      assert(!cursor.isAt(Write.bytes(lower)))
    }
  }

  test("over several layers: those that have changes there, and the smallest key that one of them stands on") {
    forAll(Gen.listOf(draws), Write.keys, Write.keys) { (drawn, lower, upper) =>
      val history = drawn.map(Write.of)
      val layers = history.map(Write.layer).toArray
      val cursors = LayerCursor.over(layers, Write.bytes(lower), Write.bytes(upper))
      def inRange(writes: Seq[Write]) = writes.map(_.key).filter(key => key >= lower && key < upper)
      val expected = layers.toVector.zip(history).collect { case (layer, own) if inRange(own).nonEmpty => layer }
      assert(cursors.toVector.map(_.layer) == expected)
      inRange(history.flatten).distinct.sorted.foreach { key =>
        assert(Write.text(LayerCursor.smallest(cursors)) == key)
        cursors.filter(_.isAt(Write.bytes(key))).foreach(_.advance())
      }
      assert(LayerCursor.smallest(cursors) == null)
    }
  }
}

package io.rockstate.benchmarks.lab

import java.util.Random

import org.scalatest.funsuite.AnyFunSuite

class NumbersSuite extends AnyFunSuite {
  test("a key gives its number back") {
    Seq(0, 1, 77, Int.MaxValue).foreach(number => assert(Keys.number(Keys.of(number)) == number))
  }

  test("distinct numbers are distinct, and all of them if so many are asked for") {
    assert(Numbers.distinct(new Random(1), 1000, 900).toSet.size == 900)
    assert(Numbers.distinct(new Random(1), 5, 9).toSeq == Seq(0, 1, 2, 3, 4))
  }

  test("Zipf's most frequent number comes twice as often as the second, to the exponent") {
    val drawn = new Numbers.Zipf(1000, exponent = 1.1).draw(new Random(1), 200000)
    assert(drawn.forall(number => number >= 0 && number < 1000))
    val counts = drawn.groupBy(identity).values.map(_.length).toSeq.sorted.reverse
    assert(math.abs(counts.head.toDouble / counts(1) - math.pow(2, 1.1)) < 0.1)
  }

  test("percentiles are samples, by nearest rank") {
    val samples = new Samples((1L to 200L).map(_ * 1000000))
    assert(Seq(0.5, 0.99, 1.0).map(samples.millisAt) == Seq(100.0, 198.0, 200.0))
    assert(new Samples(Seq(7000000L)).millisAt(0.99) == 7.0)
  }
}

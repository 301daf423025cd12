package io.rockstate.benchmarks.lab

import java.util.{Arrays, Random}

/** Key numbers of batches, drawn before the batch is timed. */
object Numbers {

  /** `count` numbers below `keys`; some come twice. */
  def random(random: Random, keys: Int, count: Int): Array[Int] = Array.fill(count)(random.nextInt(keys))

  /** `count` different numbers below `keys`. */
  def distinct(random: Random, keys: Int, count: Int): Array[Int] =
    if (count >= keys) Array.range(0, keys)
    else Iterator.continually(random.nextInt(keys)).distinct.take(count).toArray

  /** Numbers below `keys` of which the nth most frequent comes in proportion to `n^-exponent`. */
  final class Zipf(keys: Int, exponent: Double) {
    private val cumulated = (1 to keys).iterator.map(math.pow(_, -exponent)).scanLeft(0.0)(_ + _).drop(1).toArray

    def draw(random: Random, count: Int): Array[Int] = Array.fill(count) {
      val found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated.last)
      spread(math.min(if (found < 0) -found - 1 else found, keys - 1))
    }

    /** Frequent keys are not neighbours. */
    private def spread(rank: Int): Int = ((rank.toLong * 1000003L + 7) % keys).toInt
  }
}

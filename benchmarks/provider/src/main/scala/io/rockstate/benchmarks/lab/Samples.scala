package io.rockstate.benchmarks.lab

/** All samples of one kind of event, in nanoseconds: there are thousands at most, so that none need be rounded into buckets. */
final class Samples(nanos: Seq[Long]) {
  private val sorted = nanos.toArray.sorted

  /** The smallest sample that `share` of all do not exceed (nearest rank), in milliseconds. */
  def millisAt(share: Double): Double =
    sorted(math.max(0, math.ceil(share * sorted.length).toInt - 1)) / 1e6

  def totalSeconds: Double = sorted.sum / 1e9
}

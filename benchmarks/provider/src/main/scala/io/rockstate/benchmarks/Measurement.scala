package io.rockstate.benchmarks

/** One figure; `unit` is for people. */
final case class Metric(value: Double, unit: String, higherIsBetter: Boolean)

object Metric {
  def higher(value: Double, unit: String): Metric = Metric(value, unit, higherIsBetter = true)
  def lower(value: Double, unit: String): Metric = Metric(value, unit, higherIsBetter = false)
}

/** What a question has found: figures by name, lists of numbers for plots, and sizes that the question chose itself. */
final case class Measurement(
    metrics: Seq[(String, Metric)],
    series: Map[String, Seq[Double]] = Map.empty,
    settings: Map[String, Any] = Map.empty
)

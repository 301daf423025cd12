package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Metric, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, LoadedStore, Numbers}

/** What does an updated row cost when the store has `keys` keys? */
final class KeyGrowth(override val name: String, keys: Int) extends Question {
  override def measure(lab: Lab): Measurement = {
    val loaded = LoadedStore(lab, keys)
    val random = lab.random()
    val found = Workload.measure(Seq(loaded.store), lab.sizes.warmUp, lab.sizes.batches) {
      Numbers.random(random, keys, lab.sizes.batchRows)
    }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
    KeyGrowth.perRow(found, Map("keys" -> keys))
  }
}

object KeyGrowth {
  private[questions] def perRow(found: Measurement, settings: Map[String, Any]): Measurement = {
    val figures = found.metrics.toMap
    found.copy(
      metrics = Seq(
        "us_per_row" -> Metric.lower(1e6 / figures("rows_per_s").value, "us"),
        "cpu_us_per_row" -> figures("cpu_us_per_row")
      ),
      settings = settings
    )
  }
}

package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question}
import io.rockstate.benchmarks.lab.Lab
import io.rockstate.benchmarks.probes.{Throughput, Timed}

/** How fast do new keys come in? Each is looked up, as operators do, and put. The first half of the load is the warm-up. */
object Load extends Question {
  override val name = "load"

  override def measure(lab: Lab): Measurement = {
    val loading = lab.loaded.loading
    val timed = loading.drop(loading.size / 2)
    val rows = timed.size.toLong * lab.sizes.batchRows
    Measurement(
      new Throughput().figures(Timed(timed, rows)),
      Map("batch_ms" -> loading.map(_.whole / 1e6))
    )
  }
}

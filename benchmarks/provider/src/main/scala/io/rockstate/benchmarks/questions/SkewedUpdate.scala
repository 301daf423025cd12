package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, Numbers}

/** The same as `update` when few keys come often: Zipf's law with exponent 1.1. */
object SkewedUpdate extends Question {
  override val name = "skewed_update"

  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    val zipf = new Numbers.Zipf(loaded.shadow.keys, exponent = 1.1)
    Workload.measure(Seq(loaded.store), lab.sizes.warmUp, lab.sizes.batches) {
      zipf.draw(random, lab.sizes.batchRows)
    }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
  }
}

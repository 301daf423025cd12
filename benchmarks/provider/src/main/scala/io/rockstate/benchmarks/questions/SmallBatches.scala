package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, Numbers}

/** How long does a small batch take, and what does it cost in storage? */
object SmallBatches extends Question {
  override val name = "small_batches"

  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    Workload.measure(Seq(loaded.store), lab.sizes.warmUp.copy(lab.sizes.smallBatches / 4), lab.sizes.smallBatches) {
      Numbers.random(random, loaded.shadow.keys, lab.sizes.smallRows)
    }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
  }
}

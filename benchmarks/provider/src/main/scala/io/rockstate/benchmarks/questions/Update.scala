package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, Numbers}

/** How fast are random keys read and put, one after the other? */
object Update extends Question {
  override val name = "update"

  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    Workload.measure(Seq(loaded.store), lab.sizes.warmUp, lab.sizes.batches) {
      Numbers.random(random, loaded.shadow.keys, lab.sizes.batchRows)
    }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
  }
}

package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, Numbers}

/** The order of a hash aggregation: all keys of the batch are read through a read store, then all are put through its upgrade. */
object Aggregation extends Question {
  override val name = "aggregation"

  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    Workload.measure(Seq(loaded.store), lab.sizes.warmUp, lab.sizes.batches) {
      Numbers.distinct(random, loaded.shadow.keys, lab.sizes.batchRows)
    } { batch =>
      loaded.store.readThenWrite(loaded.rows.getAll(_, batch))(loaded.rows.putAll(_, batch))
    }
  }
}

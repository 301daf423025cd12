package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, Layout, Numbers, PlainRows, Shadow}

/** How fast are a JVM's first ten batches, on a store that is empty before them? Keys are read and put in random order. */
object FirstUpdates extends Question {
  override val name = "first_updates"

  override def measure(lab: Lab): Measurement = {
    val sizes = lab.sizes.first
    val store = lab.open(Layout.Plain)
    val rows = new PlainRows(new Shadow(sizes.keys))
    val random = lab.random()
    Workload.measure(Seq(store), sizes.warmUp, sizes.batches)(Numbers.random(random, sizes.keys, sizes.batchRows)) {
      batch => store.batch(rows.getAndPut(_, batch))
    }
  }
}

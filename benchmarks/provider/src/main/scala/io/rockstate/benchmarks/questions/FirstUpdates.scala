package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, Layout, Numbers, PlainRows, Shadow}

/** How fast are a JVM's first ten batches, on a store that is empty before them? Keys are read and put in random order. */
object FirstUpdates extends Question {
  override val name = "first_updates"

  override def measure(lab: Lab): Measurement = {
    val store = lab.open(Layout.Plain)
    val rows = new PlainRows(new Shadow(lab.sizes.keys))
    val random = lab.random()
    Workload.first(Seq(store))(Numbers.random(random, lab.sizes.keys, lab.sizes.firstRows)) { batch =>
      store.batch(rows.getAndPut(_, batch))
    }
  }
}

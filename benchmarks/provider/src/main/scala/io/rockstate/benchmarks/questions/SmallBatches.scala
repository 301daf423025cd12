package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.Workload.WarmUp
import io.rockstate.benchmarks.lab.{Lab, Numbers}

/** How long does a small batch take, and what does it cost in storage?
  *
  * It warms up six times as long as others: what a batch does once is called five hundred times less often than what it does for each row,
  * and ten seconds after its start a JVM still spends a fifth of two cores compiling.
  */
object SmallBatches extends Question {
  private val PatienceSeconds = 30 // the in-heap store copies itself for each batch

  override val name = "small_batches"

  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    val warmUp = WarmUp(lab.sizes.smallBatches / 4, 6 * lab.sizes.warmupSeconds)
    Workload.measure(Seq(loaded.store), warmUp, lab.sizes.smallBatches, PatienceSeconds) {
      Numbers.random(random, loaded.shadow.keys, lab.sizes.smallRows)
    }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
  }
}

package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.Workload.WarmUp
import io.rockstate.benchmarks.lab.{Lab, LoadedStore, Numbers}

/** The same as `update` when memory holds a tenth of the state: the runner gives every contender the same small budget, and keys and values
  * take ten times that.
  */
object SqueezedUpdate extends Question {
  override val name = "squeezed_update"
  private val rowBytes = 48

  /** A contender that loads an index block for each read takes minutes for a batch. */
  private val PatienceSeconds = 60

  override def measure(lab: Lab): Measurement = {
    val keys = (10 * lab.budgetBytes / rowBytes).toInt
    val loaded = LoadedStore(lab, keys)
    val random = lab.random()
    Workload
      .measure(Seq(loaded.store), WarmUp(batches = 1), lab.sizes.batches, PatienceSeconds) {
        Numbers.random(random, keys, lab.sizes.batchRows)
      }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
      .copy(settings = Map("keys" -> keys))
  }
}

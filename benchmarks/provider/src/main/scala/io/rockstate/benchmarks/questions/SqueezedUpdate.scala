package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Workload}
import io.rockstate.benchmarks.lab.{Lab, LoadedStore, Numbers}

/** The same as `update` when memory holds a tenth of the state: the runner gives every contender the same small budget, and keys and values
  * take ten times that.
  */
object SqueezedUpdate extends Question {
  override val name = "squeezed_update"
  private val rowBytes = 48

  override def measure(lab: Lab): Measurement = {
    val keys = (10 * lab.budgetBytes / rowBytes).toInt
    val loaded = LoadedStore(lab, keys)
    val random = lab.random()
    Workload
      .measure(Seq(loaded.store), lab.sizes.warmUp, lab.sizes.batches) {
        Numbers.random(random, keys, lab.sizes.batchRows)
      }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
      .copy(settings = Map("keys" -> keys))
  }
}

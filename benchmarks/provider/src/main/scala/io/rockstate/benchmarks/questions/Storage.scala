package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question, Sizes, Workload}
import io.rockstate.benchmarks.Workload.WarmUp
import io.rockstate.benchmarks.lab.{Lab, Numbers}

/** What do updates cost in storage in the long run? A snapshot is taken every so many batches, and a short run may have none or one too many:
  * this one goes on for several of them.
  *
  * @param rows    of a batch
  * @param batches that count
  */
final class Storage(override val name: String, rows: Sizes => Int, batches: Sizes => Int) extends Question {
  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    val batchRows = rows(lab.sizes)
    val counted = batches(lab.sizes)
    val found = Workload.measure(Seq(loaded.store), WarmUp(lab.sizes.warmup), counted) {
      Numbers.random(random, loaded.shadow.keys, batchRows)
    }(batch => loaded.store.batch(loaded.rows.getAndPut(_, batch)))
    found.copy(
      metrics = found.metrics.filter(_._1.endsWith("bytes_per_row")),
      settings = Map("rows_per_batch" -> batchRows, "counted_batches" -> counted)
    )
  }
}

package io.rockstate.benchmarks

import io.rockstate.benchmarks.lab.{BatchTimes, StoreUnderTest}
import io.rockstate.benchmarks.probes._

/** Batches of one kind: some to warm up, then those that are timed, with all probes around them. */
object Workload {

  /** `prepare` draws the next batch, one number for each of its rows, outside of the timed part, and `run` performs it on one of `stores`.
    * Maintenance runs beside the batches, as Spark's does; the CPU time and bytes of a run that is under way at the end are included, the
    * time is not.
    */
  def measure(stores: Seq[StoreUnderTest], warmup: Int, batches: Int)(prepare: => Array[Int])(
      run: Array[Int] => BatchTimes
  ): Measurement = {
    (1 to warmup).foreach(_ => run(prepare))
    stores.foreach(_.maintain())
    val probes = Probe.all
    var rows = 0L
    val times = (1 to batches).map { _ =>
      val batch = prepare
      rows += batch.length
      probes.foreach(_.resume())
      val time = run(batch)
      probes.foreach(_.pause())
      time
    }
    probes.foreach(_.resume())
    stores.foreach(_.awaitMaintenance())
    probes.foreach(_.pause())
    val timed = Timed(times, rows)
    Measurement(
      probes.flatMap(_.figures(timed)),
      Map("batch_ms" -> times.map(_.whole / 1e6), "commit_ms" -> times.map(_.commit / 1e6))
    )
  }
}

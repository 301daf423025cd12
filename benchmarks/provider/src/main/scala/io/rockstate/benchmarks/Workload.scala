package io.rockstate.benchmarks

import io.rockstate.benchmarks.lab.{BatchTimes, StoreUnderTest}
import io.rockstate.benchmarks.probes._

/** Batches of one kind: some to warm up, then those that are timed, with all probes around them. */
object Workload {

  /** Batches that come before those that are timed: so many, and more until so many seconds have passed. Of a fast contender's batches the
    * same number would be over before the JVM has compiled them.
    */
  final case class WarmUp(batches: Int, seconds: Int = 0)

  /** `prepare` draws the next batch, one number for each of its rows, outside of the timed part, and `run` performs it on one of `stores`.
    * Maintenance runs beside the batches, as Spark's does; the CPU time and bytes of a run that is under way at the end are included, the
    * time is not.
    */
  def measure(stores: Seq[StoreUnderTest], warmUp: WarmUp, batches: Int)(prepare: => Array[Int])(
      run: Array[Int] => BatchTimes
  ): Measurement = {
    val warm = System.nanoTime() + warmUp.seconds * 1000000000L
    var warmed = 0
    while (warmed < warmUp.batches || System.nanoTime() < warm) {
      run(prepare)
      warmed += 1
    }
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

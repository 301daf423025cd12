package io.rockstate.benchmarks

import scala.collection.mutable

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
    *
    * @param patience seconds after which no further batch is begun
    */
  def measure(stores: Seq[StoreUnderTest], warmUp: WarmUp, batches: Int, patience: Int = Int.MaxValue)(
      prepare: => Array[Int]
  )(
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
    val end = System.nanoTime() + patience * 1000000000L
    val times = mutable.Buffer.empty[BatchTimes]
    while (times.isEmpty || (times.size < batches && System.nanoTime() < end)) {
      val batch = prepare
      rows += batch.length
      probes.foreach(_.resume())
      times += run(batch)
      probes.foreach(_.pause())
    }
    probes.foreach(_.resume())
    stores.foreach(_.awaitMaintenance())
    probes.foreach(_.pause())
    val timed = Timed(times.toSeq, rows)
    Measurement(
      probes.flatMap(_.figures(timed)),
      Map("batch_ms" -> timed.batches.map(_.whole / 1e6), "commit_ms" -> timed.batches.map(_.commit / 1e6))
    )
  }
}

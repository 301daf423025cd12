package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Metric, Question}
import io.rockstate.benchmarks.lab._

/** A new executor with an empty disk: how long until the first row of a store whose snapshot is `deltas` versions old? The files are in the
  * page cache, as they would be on no storage service: see the latency per call.
  */
final class Recovery(deltas: Int) extends Question {
  override val name = s"recovery_$deltas"

  override def measure(lab: Lab): Measurement = {
    val folder = lab.newFolder()
    val checkpoint = new Checkpoint(lab, lab.sizes.keys, deltas, lab.sizes.batchRows)
    val shadow = checkpoint.write(folder)
    val rows = new PlainRows(shadow)
    val sample = Numbers.random(lab.random(), shadow.keys, math.min(shadow.keys, 1000))
    val times = (1 to lab.sizes.trials).map { _ =>
      val start = System.nanoTime()
      val fresh = lab.recover(folder, Layout.Plain, checkpoint.version)
      fresh.opening(rows.getAll(_, sample.take(1)))
      val took = System.nanoTime() - start
      fresh.reading(rows.getAll(_, sample))
      fresh.close()
      took
    }
    Measurement(
      Seq("first_read_ms" -> Metric.lower(new Samples(times).millisAt(0.5), "ms")),
      Map("first_read_ms" -> times.map(_ / 1e6)),
      Map("deltas" -> deltas)
    )
  }
}

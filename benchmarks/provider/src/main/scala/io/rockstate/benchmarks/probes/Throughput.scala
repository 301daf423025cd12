package io.rockstate.benchmarks.probes

import io.rockstate.benchmarks.Metric

/** Rows by the time of whole batches: from getStore to the end of the task. */
final class Throughput extends Probe {
  override def figures(timed: Timed): Seq[(String, Metric)] =
    Seq("rows_per_s" -> Metric.higher(timed.rows * 1e9 / timed.batches.map(_.whole).sum, "rows/s"))
}

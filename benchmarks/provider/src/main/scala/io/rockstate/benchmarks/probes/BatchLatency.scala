package io.rockstate.benchmarks.probes

import io.rockstate.benchmarks.Metric
import io.rockstate.benchmarks.lab.Samples

/** From getStore until the metrics have been read. */
final class BatchLatency extends Probe {
  override def figures(timed: Timed): Seq[(String, Metric)] = {
    val samples = new Samples(timed.batches.map(_.measured))
    Seq(
      "batch_p50_ms" -> Metric.lower(samples.millisAt(0.5), "ms"),
      "batch_p99_ms" -> Metric.lower(samples.millisAt(0.99), "ms")
    )
  }
}

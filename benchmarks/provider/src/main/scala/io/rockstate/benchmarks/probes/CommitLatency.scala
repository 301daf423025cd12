package io.rockstate.benchmarks.probes

import io.rockstate.benchmarks.Metric
import io.rockstate.benchmarks.lab.Samples

/** How long commit keeps the task's thread. */
final class CommitLatency extends Probe {
  override def figures(timed: Timed): Seq[(String, Metric)] = {
    val samples = new Samples(timed.batches.map(_.commit))
    Seq(
      "commit_p50_ms" -> Metric.lower(samples.millisAt(0.5), "ms"),
      "commit_p99_ms" -> Metric.lower(samples.millisAt(0.99), "ms")
    )
  }
}

package io.rockstate.benchmarks.probes

import io.rockstate.benchmarks.Metric
import io.rockstate.benchmarks.lab.StorageCounters

/** Calls of the checkpoint's file system per batch: on the task's thread, by kind, and on all others together. */
final class FileSystemCalls extends Probe {
  private var atStart: Option[StorageCounters.Reading] = None

  override def resume(): Unit = atStart = atStart.orElse(Some(StorageCounters.now()))

  override def figures(timed: Timed): Seq[(String, Metric)] = {
    val found = StorageCounters.now().since(atStart.get)
    def perBatch(calls: Long): Metric = Metric.lower(calls.toDouble / timed.batches.size, "calls")
    Seq(
      "task_calls_per_batch" -> perBatch(found.taskCalls.values.sum),
      "other_calls_per_batch" -> perBatch(found.otherCalls.values.sum)
    ) ++ StorageCounters.kinds.map(kind => s"task_${kind.name}_calls_per_batch" -> perBatch(found.taskCalls(kind)))
  }
}

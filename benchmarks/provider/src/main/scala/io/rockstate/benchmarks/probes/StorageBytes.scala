package io.rockstate.benchmarks.probes

import io.rockstate.benchmarks.Metric
import io.rockstate.benchmarks.lab.StorageCounters

/** Bytes written to the checkpoint, snapshots included, and those of the batches' delta files alone. */
final class StorageBytes extends Probe {
  private var atStart: Option[StorageCounters.Reading] = None

  override def resume(): Unit = atStart = atStart.orElse(Some(StorageCounters.now()))

  override def figures(timed: Timed): Seq[(String, Metric)] = {
    val found = StorageCounters.now().since(atStart.get)
    val perRow = "storage_bytes_per_row" -> Metric.lower(found.bytesWritten.toDouble / timed.rows, "bytes")
    val perDeltaRow = "delta_bytes_per_row" -> Metric.lower(found.deltaBytes.toDouble / timed.rows, "bytes")
    if (found.deltaBytes > 0) Seq(perRow, perDeltaRow) else Seq(perRow)
  }
}

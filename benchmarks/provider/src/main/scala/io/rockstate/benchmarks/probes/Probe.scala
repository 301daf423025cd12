package io.rockstate.benchmarks.probes

import io.rockstate.benchmarks.Metric
import io.rockstate.benchmarks.lab.BatchTimes

/** Batches that were timed, and how many rows they updated. */
final case class Timed(batches: Seq[BatchTimes], rows: Long)

/** Answers one question about every workload, from what it sees between `resume` and `pause`. */
trait Probe {
  def resume(): Unit = ()
  def pause(): Unit = ()
  def figures(timed: Timed): Seq[(String, Metric)]
}

object Probe {

  /** New ones, each for one workload. */
  def all: Seq[Probe] = Seq(
    new Throughput,
    new BatchLatency,
    new CommitLatency,
    new CpuTime,
    new StorageBytes,
    new FileSystemCalls
  )
}

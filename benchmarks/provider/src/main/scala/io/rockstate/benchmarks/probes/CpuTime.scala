package io.rockstate.benchmarks.probes

import java.lang.management.ManagementFactory

import com.sun.management.OperatingSystemMXBean

import io.rockstate.benchmarks.Metric

/** CPU time of all threads of the process, native ones, garbage collection and maintenance included. */
final class CpuTime extends Probe {
  private val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])
  private var nanos = 0L

  override def resume(): Unit = nanos -= system.getProcessCpuTime
  override def pause(): Unit = nanos += system.getProcessCpuTime

  override def figures(timed: Timed): Seq[(String, Metric)] =
    Seq("cpu_us_per_row" -> Metric.lower(nanos / 1e3 / timed.rows, "us"))
}

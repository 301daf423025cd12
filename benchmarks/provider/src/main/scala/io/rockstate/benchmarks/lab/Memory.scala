package io.rockstate.benchmarks.lab

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

/** Memory of this process, in bytes.
  *
  * @param resident of the whole process
  * @param native   resident memory beside the Java heap, which is committed and touched from the start, and beside the JVM's own classes and
  *                 compiled code, which grow for as long as it runs
  * @param heapLive what is alive on the heap
  */
final case class Memory(resident: Long, native: Long, heapLive: Long)

object Memory {

  /** Collects garbage first. */
  def now(): Memory = {
    (1 to 2).foreach(_ => System.gc())
    val jvm = ManagementFactory.getMemoryMXBean
    val heap = jvm.getHeapMemoryUsage
    val resident = residentBytes
    Memory(resident, resident - heap.getCommitted - jvm.getNonHeapMemoryUsage.getCommitted, heap.getUsed)
  }

  private def residentBytes: Long =
    Files
      .readAllLines(Paths.get("/proc/self/status"))
      .asScala
      .collectFirst { case Line(kilobytes) =>
        kilobytes.toLong * 1024
      }
      .getOrElse(throw new IllegalStateException("/proc/self/status has no VmRSS"))

  private val Line = """VmRSS:\s+(\d+) kB""".r
}

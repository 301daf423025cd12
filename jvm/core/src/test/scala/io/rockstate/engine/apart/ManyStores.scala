package io.rockstate.engine.apart

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}
import java.util.Random

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.rockstate.db.NativeMemory
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}

/** Opens many small stores under one budget, updates all of them batch by batch, and prints what they hold and what a row costs.
  *
  * Arguments: a folder, stores, rows of each, rows of a batch, budget in bytes. Wants `ManyStores.JvmOptions`: resident memory beside a heap
  * that is touched from the start is native.
  */
object ManyStores {
  val JvmOptions: Seq[String] = Seq(
    "-Xms1g",
    "-Xmx1g",
    "-XX:+AlwaysPreTouch",
    "-XX:+UseSerialGC",
    // The second compiler takes up to 50 MB while it works, whoever it works for.
    "-XX:TieredStopAtLevel=1"
  )

  /** What a run printed. Bytes beside what the JVM held when all code had run, and beside what is stored. */
  final case class Figures(
      nativeBytes: Long,
      heapBytes: Long,
      nanosPerRow: Long,
      cpuNanosPerRow: Long,
      openFiles: Long
  ) {
    def bytes: Long = nativeBytes + heapBytes
  }

  /** @param environment variables of the process */
  def measure(
      stores: Int,
      rows: Int,
      batchRows: Int,
      budget: Long,
      environment: Map[String, String] = Map.empty
  ): Figures = {
    val ended = OwnJvm.run(getClass, JvmOptions, Seq(stores, rows, batchRows, budget).map(_.toString), environment)
    val numbers = ended.output.linesIterator.collectFirst { case Line(numbers) => numbers.split(' ').map(_.toLong) }
    val found = numbers.filter(_ => ended.code == 0).getOrElse(throw new IllegalStateException(s"$ended"))
    Figures(found(0), found(1), found(2), found(3), found(4))
  }

  def main(arguments: Array[String]): Unit = {
    val folder = Paths.get(arguments(0))
    val Seq(stores, rows, batchRows) = arguments.toSeq.slice(1, 4).map(_.toInt): @unchecked
    val budget = arguments(4).toLong
    warmUp(folder, rows, batchRows, budget)
    val memory = SharedMemory(NativeMemory.shared(budget / 2), new HeapMemory(budget / 2))
    val filesBefore = openFiles
    val before = Memory.now()
    val all = Vector.tabulate(stores)(n => new SmallStore(folder.resolve(s"store-$n"), memory, rows))
    all.foreach(_.load())
    val random = new Random(1)
    updateAll(all, random, batchRows, RoundsBefore)
    val rounds = math.max(RoundsTimed, RowsTimed / (stores * batchRows))
    val started = System.nanoTime()
    val cpuBefore = cpuNanos
    updateAll(all, random, batchRows, rounds)
    val timed = rounds.toLong * stores * batchRows
    val (nanos, cpu) = ((System.nanoTime() - started) / timed, (cpuNanos - cpuBefore) / timed)
    val after = Memory.now()
    val heap = after.heapLive - before.heapLive - all.map(_.ownBytes).sum
    println(s"figures ${after.native - before.native} $heap $nanos $cpu ${openFiles - filesBefore}")
    System.exit(0)
  }

  /** Snapshots of a small store are due after ten batches. */
  private val RoundsBefore = 10
  private val RoundsTimed = 20
  private val RowsTimed = 500000
  private val WarmUpRows = 200000
  private val Line = "figures (.*)".r

  private def updateAll(all: Seq[SmallStore], random: Random, batchRows: Int, rounds: Int): Unit =
    (1 to rounds).foreach { _ =>
      all.foreach { store =>
        store.update(random, batchRows)
        store.maintain()
      }
    }

  /** What the JVM needs for classes and compiled code is none of a store's. */
  private def warmUp(folder: Path, rows: Int, batchRows: Int, budget: Long): Unit = {
    val memory = SharedMemory(NativeMemory.shared(budget / 2), new HeapMemory(budget / 2))
    val store = new SmallStore(folder.resolve("warm-up"), memory, rows)
    store.load()
    updateAll(Seq(store), new Random(1), batchRows, WarmUpRows / batchRows)
    store.close()
  }

  private def openFiles: Long = Using.resource(Files.list(Paths.get("/proc/self/fd")))(_.count())

  private def cpuNanos: Long = ManagementFactory.getOperatingSystemMXBean match {
    case system: com.sun.management.OperatingSystemMXBean => system.getProcessCpuTime
    case _ => 0
  }

  private final case class Memory(native: Long, heapLive: Long)

  private object Memory {
    def now(): Memory = {
      (1 to 2).foreach(_ => System.gc())
      val heap = ManagementFactory.getMemoryMXBean.getHeapMemoryUsage
      Memory(residentBytes - heap.getCommitted, heap.getUsed)
    }

    private def residentBytes: Long =
      Files
        .readAllLines(Paths.get("/proc/self/status"))
        .asScala
        .collectFirst { case Resident(kilobytes) => kilobytes.toLong << 10 }
        .get

    private val Resident = """VmRSS:\s+(\d+) kB""".r
  }
}

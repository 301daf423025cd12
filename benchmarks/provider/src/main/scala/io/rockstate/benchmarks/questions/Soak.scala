package io.rockstate.benchmarks.questions

import scala.collection.mutable

import io.rockstate.benchmarks.{Measurement, Metric, Question}
import io.rockstate.benchmarks.lab.{Holdings, Lab, SoakedStore}

/** Does an executor with 64 stores hold ever more? Batches, failed batches, whole and broken-off scans, snapshots and restarts, warm and on an empty
  * disk, come to one store after the other in an order that the seed chooses, with maintenance beside.
  */
object Soak extends Question {
  private val Stores = 64
  private val BatchRows = 2500
  private val WarmUpTurns = 100
  private val Samples = 180

  override val name = "soak"

  override def measure(lab: Lab): Measurement = {
    val keys = lab.sizes.soakKeys / Stores
    warmUp(lab, keys)
    val before = Holdings.now()
    val all = Vector.fill(Stores)(new SoakedStore(lab, keys, BatchRows))
    val random = lab.random()
    all.foreach(_.update(random)) // each reports its share of the memory of all
    val seen = mutable.ArrayBuffer.empty[Sample]
    val (start, length) = (System.nanoTime(), lab.sizes.soakSeconds * 1000000000L)
    def passed = System.nanoTime() - start
    var turns = 0L
    while (passed < length) {
      all(random.nextInt(Stores)).turn(random)
      turns += 1
      if (passed >= seen.size * length / Samples)
        seen += new Sample(passed / 1e9, Holdings.now(), all.map(_.reportedBytes).sum)
    }
    all.foreach(_.checkAll())
    val found = series(before, seen.toSeq, shadowBytes = 4L * keys * Stores)
    Measurement(
      Seq(
        "state_peak_bytes" -> Metric.lower(found("state_bytes").max, "bytes"),
        "turns" -> Metric.higher(turns.toDouble, "turns")
      ),
      found,
      Map("keys" -> keys * Stores, "stores" -> Stores, "rows_per_batch" -> BatchRows)
    )
  }

  /** What the JVM needs for classes and compiled code is none of a store's. */
  private def warmUp(lab: Lab, keys: Int): Unit = {
    val store = new SoakedStore(lab, keys, BatchRows)
    val random = lab.random()
    (1 to WarmUpTurns).foreach(_ => store.turn(random))
    store.close()
  }

  private final class Sample(val seconds: Double, val holds: Holdings, val reported: Long)

  /** A number of each kind for each sample; memory is what came on top of what the process held before. */
  private def series(before: Holdings, seen: Seq[Sample], shadowBytes: Long): Map[String, Seq[Double]] = {
    def of(figure: Sample => Double) = seen.map(figure)
    def native(sample: Sample) = (sample.holds.memory.native - before.memory.native).toDouble
    def heap(sample: Sample) = (sample.holds.memory.heapLive - before.memory.heapLive - shadowBytes).toDouble
    Map(
      "seconds" -> of(_.seconds),
      "resident_bytes" -> of(_.holds.memory.resident.toDouble),
      "native_bytes" -> of(native),
      "heap_bytes" -> of(heap),
      "state_bytes" -> of(sample => native(sample) + heap(sample)),
      "reported_bytes" -> of(_.reported.toDouble),
      "open_files" -> of(_.holds.files.toDouble),
      "threads" -> of(_.holds.threads.toDouble),
      "disk_bytes" -> of(_.holds.diskBytes.toDouble)
    )
  }
}

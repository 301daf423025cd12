package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab._

/** The first batch after a restart, of an aggregation with a watermark: how long until the first row is read, until all rows have been scanned and a
  * tenth of them removed, and for a second scan?
  *
  * @param emptyDisk whether the store is opened on a machine that has never seen it
  */
final class Restart(override val name: String, emptyDisk: Boolean) extends Question {

  override def measure(lab: Lab): Measurement = CannotDo.unless("iterator") {
    val folder = lab.newFolder()
    val (shadow, version) = Checkpoint.write(lab, folder, Restart.Deltas)
    val times = (1 to lab.sizes.trials).map(_ => restarted(lab, folder, version, shadow))
    def metric(index: Int) = Metric.lower(new Samples(times.map(_(index))).millisAt(0.5), "ms")
    Measurement(
      Restart.Names.zipWithIndex.map { case (name, index) => name -> metric(index) },
      Restart.Names.zipWithIndex.map { case (name, index) => name -> times.map(_(index) / 1e6) }.toMap,
      Map("deltas" -> Restart.Deltas)
    )
  }

  private def restarted(lab: Lab, folder: String, version: Long, shadow: Shadow): Seq[Long] = {
    val rows = new PlainRows(shadow)
    val start = System.nanoTime()
    val store = lab.recover(folder, Layout.Plain, version, emptyDisk)
    store.opening(rows.getAll(_, Array(0)))
    val read = System.nanoTime() - start
    var evicted = 0L
    store.failing { task =>
      val found = task
        .iterator()
        .map { pair =>
          val number = shadow.check(pair.key, pair.value)
          if (number % 10 == 0) task.remove(pair.key)
        }
        .size
      evicted = System.nanoTime() - start
      shadow.checkCount(found)
    }
    val again =
      store.reading(task => shadow.checkCount(task.iterator().map(pair => shadow.check(pair.key, pair.value)).size))
    store.close()
    Seq(read, evicted, again)
  }
}

private object Restart {
  val Deltas = 5
  val Names: Seq[String] = Seq("first_read_ms", "first_eviction_ms", "second_scan_ms")
}

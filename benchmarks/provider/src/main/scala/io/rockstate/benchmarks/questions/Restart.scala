package io.rockstate.benchmarks.questions

import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab._

/** The first batch after a restart, of an aggregation with a watermark: how long until the first row is read, until all rows have been scanned and a
  * tenth of them removed, and for a second scan?
  *
  * @param emptyDisk whether the store is opened on a machine that has never seen it
  * @param keys      of the store, if not as many as in other questions
  */
final class Restart(override val name: String, emptyDisk: Boolean, keys: Option[Int] = None) extends Question {

  override def measure(lab: Lab): Measurement = CannotDo.unless("iterator") {
    val folder = lab.newFolder()
    val checkpoint = new Checkpoint(lab, keys.getOrElse(lab.sizes.keys), Restart.Deltas, lab.sizes.batchRows)
    val shadow = checkpoint.write(folder)
    val times = (1 to lab.sizes.trials).map(_ => restarted(lab, folder, checkpoint.version, shadow))
    Restart.medians(Restart.Names, times, Map("keys" -> shadow.keys, "deltas" -> Restart.Deltas))
  }

  private def restarted(lab: Lab, folder: String, version: Long, shadow: Shadow): Seq[Long] = {
    val rows = new PlainRows(shadow)
    val start = System.nanoTime()
    val store = lab.recover(folder, Layout.Plain, version, emptyDisk)
    store.opening(rows.getAll(_, Array(0)))
    val read = System.nanoTime() - start
    var evicted = 0L
    store.failing { task =>
      val found = Restart.evict(task, shadow)
      evicted = System.nanoTime() - start
      shadow.checkCount(found)
    }
    val again =
      store.reading(task => shadow.checkCount(task.iterator().map(pair => shadow.check(pair.key, pair.value)).size))
    store.close()
    Seq(read, evicted, again)
  }
}

private[questions] object Restart {
  val Deltas = 5

  /** Scans all rows and removes a tenth of the keys; how many rows there were. */
  def evict(task: StateStore, shadow: Shadow): Int = task
    .iterator()
    .map { pair =>
      val number = shadow.check(pair.key, pair.value)
      if (number % 10 == 0) task.remove(pair.key)
    }
    .size

  val Names: Seq[String] = Seq("first_read_ms", "first_eviction_ms", "second_scan_ms")

  /** Of each time its median.
    *
    * @param times nanoseconds, in the order of `names`, of each trial
    */
  def medians(names: Seq[String], times: Seq[Seq[Long]], settings: Map[String, Any]): Measurement = {
    val ofEach = names.zip(times.transpose)
    Measurement(
      ofEach.map { case (name, nanos) => name -> Metric.lower(new Samples(nanos).millisAt(0.5), "ms") },
      ofEach.map { case (name, nanos) => name -> nanos.map(_ / 1e6) }.toMap,
      settings
    )
  }
}

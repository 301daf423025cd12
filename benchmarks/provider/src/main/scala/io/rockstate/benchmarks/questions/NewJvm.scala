package io.rockstate.benchmarks.questions

import java.lang.management.ManagementFactory

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab._

/** An aggregation with a watermark in a JVM that has just been started: how long is it from there until its first batch has been committed?
  * The batch reads its rows through a read store, puts them, scans all rows and removes a tenth of them.
  *
  * @param checkpoint what an earlier process has been asked to write, in the same folder for checkpoints
  * @param emptyDisk  whether the store is opened on a machine that has never seen it
  */
final class NewJvm(override val name: String, checkpoint: Lab => Checkpoint, emptyDisk: Boolean) extends Question {

  override def measure(lab: Lab): Measurement = CannotDo.unless("iterator") {
    val written = checkpoint(lab)
    val before = System.nanoTime()
    val shadow = written.shadow
    val batch = Numbers.distinct(lab.random(), shadow.keys, lab.sizes.batchRows)
    val remembering = System.nanoTime() - before
    val store = lab.recover(lab.newFolder(), Layout.Plain, written.version, emptyDisk)
    val rows = new PlainRows(shadow)
    val times = store.readThenWrite(rows.getAll(_, batch)) { task =>
      rows.putAll(task, batch)
      shadow.checkCount(Restart.evict(task, shadow))
    }
    val sinceStart = (System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean.getStartTime) - remembering / 1e6
    store.close()
    Measurement(
      Seq(
        "first_commit_ms" -> Metric.lower(sinceStart, "ms"),
        "batch_ms" -> Metric.lower(times.whole / 1e6, "ms"),
        "commit_ms" -> Metric.lower(times.commit / 1e6, "ms")
      ),
      settings = Map("keys" -> shadow.keys)
    )
  }
}

/** The process before: it writes the checkpoint and measures nothing else.
  *
  * @param checkpoint what it writes
  */
final class Written(override val name: String, checkpoint: Lab => Checkpoint) extends Question {
  override def measure(lab: Lab): Measurement = {
    val start = System.nanoTime()
    checkpoint(lab).write(lab.newFolder())
    Measurement(Seq("written_ms" -> Metric.lower((System.nanoTime() - start) / 1e6, "ms")))
  }
}

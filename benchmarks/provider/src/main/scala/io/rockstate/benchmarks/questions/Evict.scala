package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab.{Lab, LoadedStore, Samples}

/** A watermark passes a tenth of the keys: all rows are scanned, those are removed, and the batch commits. */
object Evict extends Question {
  override val name = "evict"

  override def measure(lab: Lab): Measurement = CannotDo.unless("iterator") {
    val loaded = lab.loaded
    val times = (0 until lab.sizes.trials).map { trial =>
      val took = loaded.store.batch { store =>
        val rows = store.iterator()
        while (rows.hasNext) {
          val pair = rows.next()
          val number = loaded.shadow.check(pair.key, pair.value)
          if (number % 10 == trial) {
            store.remove(pair.key)
            loaded.shadow.remove(number)
          }
        }
        rows.close()
      }.whole
      putBack(loaded, trial)
      took
    }
    Measurement(
      Seq("evict_ms" -> Metric.lower(new Samples(times).millisAt(0.5), "ms")),
      Map("evict_ms" -> times.map(_ / 1e6))
    )
  }

  /** Also checks that a get no longer finds what was removed. */
  private def putBack(loaded: LoadedStore, remainder: Int): Unit = {
    val removed = (remainder until loaded.shadow.keys by 10).toArray
    loaded.store.batch(loaded.rows.getAndPut(_, removed))
    ()
  }
}

package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab.Lab

/** How fast are all rows read through `iterator`? */
object FullScan extends Question {
  override val name = "full_scan"

  override def measure(lab: Lab): Measurement = CannotDo.unless("iterator") {
    val loaded = lab.loaded
    val seconds = lab.trials {
      var found = 0
      val nanos = loaded.store.reading { store =>
        val rows = store.iterator()
        while (rows.hasNext) {
          val pair = rows.next()
          loaded.shadow.check(pair.key, pair.value)
          found += 1
        }
        rows.close()
      }
      loaded.shadow.checkCount(found)
      nanos / 1e9
    }
    Measurement(
      Seq("rows_per_s" -> Metric.higher(loaded.shadow.present * seconds.size / seconds.sum, "rows/s")),
      Map("scan_ms" -> seconds.map(_ * 1e3))
    )
  }
}

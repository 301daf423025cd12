package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab._

/** How fast are rows read by range scans of a thousand? */
object RangeScan extends Question {
  override val name = "range_scan"
  private val scanRows = 1000
  private val groupRows = 10

  override def measure(lab: Lab): Measurement = CannotDo.unless("rangeScan") {
    val groups = lab.sizes.keys / groupRows
    val store = lab.open(Layout.Ranged)
    val shadow = PairRows.load(store, lab.sizes, groups, groupRows, group => group.toLong)
    val random = lab.random()
    val scans = math.max(1, 20 * lab.sizes.batchRows / scanRows)
    val from = new LongsRow(2)
    val until = new LongsRow(2)
    val wide = math.min(groups, scanRows / groupRows)
    val seconds = lab.trials {
      val starts = Numbers.random(random, groups - wide + 1, scans)
      store.reading { reader =>
        starts.foreach { start =>
          val rows = reader.rangeScan(Some(from(start.toLong, 0L)), Some(until((start + wide).toLong, 0L)))
          shadow.checkRange(rows, start.toLong, wide * groupRows)
        }
      } / 1e9
    }
    Measurement(
      Seq("rows_per_s" -> Metric.higher(scans.toDouble * wide * groupRows * seconds.size / seconds.sum, "rows/s")),
      Map("trial_ms" -> seconds.map(_ * 1e3)),
      settings = Map("rows_per_scan" -> wide * groupRows)
    )
  }
}

package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question, WrongAnswer}
import io.rockstate.benchmarks.lab._

/** How fast are the ten rows of a group read by a prefix scan? */
object PrefixScan extends Question {
  override val name = "prefix_scan"
  private val groupRows = 10

  override def measure(lab: Lab): Measurement = CannotDo.unless("prefixScan") {
    val groups = lab.sizes.keys / groupRows
    val store = lab.open(Layout.Prefixed)
    val shadow = PairRows.load(store, lab.sizes, groups, groupRows)
    val random = lab.random()
    val scans = lab.sizes.batchRows
    val prefix = new LongsRow(1)
    val seconds = lab.trials {
      val wanted = Numbers.random(random, groups, scans)
      store.reading { reader =>
        wanted.foreach { group =>
          val rows = reader.prefixScan(prefix(Keys.of(group)))
          var found = 0
          while (rows.hasNext) {
            val pair = rows.next()
            if (pair.key.getLong(0) != Keys.of(group)) throw new WrongAnswer(s"a row of another group than $group")
            shadow.check(pair)
            found += 1
          }
          rows.close()
          if (found != groupRows) throw new WrongAnswer(s"group $group has $found rows of $groupRows")
        }
      } / 1e9
    }
    Measurement(
      Seq("scans_per_s" -> Metric.higher(scans * seconds.size / seconds.sum, "scans/s")),
      Map("trial_ms" -> seconds.map(_ * 1e3)),
      settings = Map("rows_per_scan" -> groupRows)
    )
  }
}

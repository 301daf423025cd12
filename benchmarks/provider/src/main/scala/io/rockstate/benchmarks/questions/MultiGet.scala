package io.rockstate.benchmarks.questions

import org.apache.spark.sql.execution.streaming.state.StateStore.DEFAULT_COL_FAMILY_NAME

import io.rockstate.benchmarks.{CannotDo, Measurement, Metric, Question}
import io.rockstate.benchmarks.lab.{Keys, Lab, LongsRow, Numbers}

/** How fast are keys read a hundred at a time? */
object MultiGet extends Question {
  override val name = "multi_get"
  private val atATime = 100

  override def measure(lab: Lab): Measurement = CannotDo.unless("multiGet") {
    val loaded = lab.loaded
    val random = lab.random()
    val keyRows = Array.fill(atATime)(new LongsRow(1))
    val seconds = lab.trials {
      val groups = Numbers.random(random, loaded.shadow.keys, lab.sizes.batchRows).grouped(atATime).toArray
      loaded.store.reading { store =>
        groups.foreach { numbers =>
          val keys = numbers.zip(keyRows).map { case (number, row) => row(Keys.of(number)) }
          val values = store.multiGet(keys, DEFAULT_COL_FAMILY_NAME)
          numbers.foreach(number => loaded.shadow.check(number, values.next()))
        }
      } / 1e9
    }
    Measurement(
      Seq("rows_per_s" -> Metric.higher(lab.sizes.batchRows * seconds.size / seconds.sum, "rows/s")),
      Map("trial_ms" -> seconds.map(_ * 1e3)),
      settings = Map("keys_at_a_time" -> atATime)
    )
  }
}

package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Metric, Question}
import io.rockstate.benchmarks.lab.{Lab, Numbers, Samples}

/** A task fails after a batch of puts: how long until its retry has the store, and its first row? */
object Abort extends Question {
  override val name = "abort"

  override def measure(lab: Lab): Measurement = {
    val loaded = lab.loaded
    val random = lab.random()
    val trials = lab.trials {
      val lies = Numbers.random(random, loaded.shadow.keys, lab.sizes.batchRows)
      val aborting = loaded.store.failing(loaded.rows.putLies(_, lies))
      val (opened, read) = loaded.store.opening(loaded.rows.getAll(_, lies.take(1)))
      loaded.store.reading(loaded.rows.getAll(_, lies))
      (aborting, opened, read)
    }
    Measurement(
      Seq(
        "get_store_ms" -> Metric.lower(new Samples(trials.map(_._2)).millisAt(0.5), "ms"),
        "first_read_ms" -> Metric.lower(new Samples(trials.map(_._3)).millisAt(0.5), "ms"),
        "abort_ms" -> Metric.lower(new Samples(trials.map(_._1)).millisAt(0.5), "ms")
      ),
      Map("get_store_ms" -> trials.map(_._2 / 1e6))
    )
  }
}

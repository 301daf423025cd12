package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{Measurement, Question}
import io.rockstate.benchmarks.lab.Lab

/** How fast do new keys come in? Each is looked up, as operators do, and put. The first half of the load is the warm-up. */
object Load extends Question {
  override val name = "load"

  override def measure(lab: Lab): Measurement = lab.loaded.loading
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.spark.SparkContext
import org.apache.spark.util.LongAccumulator

/** How far a move is. Another thread than that which makes the move may ask. */
private[rockstate] final class MoveProgress(context: SparkContext) {
  @volatile private var current = Option.empty[(String, Int)]

  /** What each task adds one to when it is done. */
  val tasks: LongAccumulator = context.longAccumulator

  /** Begins a phase of so many tasks. */
  def begin(phase: String, of: Int): Unit = {
    current = None
    tasks.reset()
    current = Some(phase -> of)
  }

  def now: Option[PhaseReport] = current.map { case (phase, of) =>
    PhaseReport(phase, math.min(tasks.value.toLong, of.toLong).toInt, of)
  }
}

/** A phase of a move, and how many of its tasks are done. */
final case class PhaseReport(phase: String, done: Int, of: Int)

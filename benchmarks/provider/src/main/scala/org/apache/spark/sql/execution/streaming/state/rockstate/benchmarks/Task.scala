package org.apache.spark.sql.execution.streaming.state.rockstate.benchmarks

import org.apache.spark.{TaskContext, TaskContextImpl}

/** What a store sees of a task: its context, and its end. */
object Task {

  /** Runs `body` as one task of this thread; its completion listeners have run when this returns. */
  def run[T](body: => T): T = {
    val context = started()
    try {
      val result = body
      context.markTaskCompleted(None)
      result
    } catch {
      case failure: Throwable =>
        context.markTaskFailed(failure)
        context.markTaskCompleted(Some(failure))
        throw failure
    } finally TaskContext.unset()
  }

  /** Runs `body` as a task that fails after it. */
  def fail(body: => Unit): Unit = {
    val context = started()
    try {
      body
      val failure = new IllegalStateException("a task that was meant to fail")
      context.markTaskFailed(failure)
      context.markTaskCompleted(Some(failure))
    } finally TaskContext.unset()
  }

  private def started(): TaskContextImpl = {
    val context = TaskContext.empty()
    TaskContext.setTaskContext(context)
    context
  }
}

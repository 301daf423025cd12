package io.rockstate.reference

import org.apache.spark.TaskContext

/** What a mutant does when the task that it works for has ended. */
object AtTheTasksEnd {
  def apply(body: => Unit): Unit = Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => body))
}

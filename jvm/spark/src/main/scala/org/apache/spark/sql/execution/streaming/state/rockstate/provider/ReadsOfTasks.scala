package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import scala.collection.concurrent.TrieMap

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.state.rockstate.store.ReadStore

/** The read store that each running task has, for its store to write to where Spark asks for that without it. */
private[provider] final class ReadsOfTasks {
  private val last = TrieMap.empty[Long, ReadStore]

  def opened(store: ReadStore): Unit = Option(TaskContext.get()).foreach { task =>
    last(task.taskAttemptId()) = store
    task.addTaskCompletionListener[Unit](ended => last.remove(ended.taskAttemptId()))
  }

  def ofThisTask: Option[ReadStore] = Option(TaskContext.get()).flatMap(task => last.get(task.taskAttemptId()))
}

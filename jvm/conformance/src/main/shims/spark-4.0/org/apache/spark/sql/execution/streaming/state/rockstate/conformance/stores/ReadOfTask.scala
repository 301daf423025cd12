package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.state.ReadStateStore

/** A store for reading that a task has: Spark 4.0 aborts it at the task's end, however that ends. */
private[conformance] object ReadOfTask {
  def apply(store: ReadStateStore): ReadStateStore = {
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => store.abort()))
    store
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.execution.streaming.state.ReadStateStore

/** A store for reading that a task has: from Spark 4.1 on its operator releases it, and a task that fails leaves it. */
private[conformance] object ReadOfTask {
  def apply(store: ReadStateStore): ReadStateStore = store
}

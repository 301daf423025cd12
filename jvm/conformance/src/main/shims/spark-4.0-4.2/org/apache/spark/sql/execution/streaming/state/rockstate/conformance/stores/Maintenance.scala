package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.execution.streaming.state.StateStoreProvider

/** What Spark's maintenance thread calls. */
private[conformance] object Maintenance {
  def run(provider: StateStoreProvider): Unit = provider.doMaintenance()
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.execution.streaming.state.StateStoreProvider

/** What Spark's maintenance thread calls; `doMaintenance` it calls only before it unloads a store. */
private[conformance] object Maintenance {
  def run(provider: StateStoreProvider): Unit = {
    provider.doSnapshotMaintenance()
    provider.doCleanupMaintenance()
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state.{StateStoreId, StateStoreProvider, StateStoreProviderId}

/** What a store tells the driver's coordinator outside of a batch. Tools that read a checkpoint have no query to report for. */
private[rockstate] final class CoordinatorReports(id: StateStoreId, queryRun: Option[UUID]) {

  def snapshotUploaded(version: Long): Unit =
    for (run <- queryRun; coordinator <- StateStoreProvider.coordinatorRef)
      coordinator.snapshotUploaded(StateStoreProviderId(id, run), version, System.currentTimeMillis())
}

private[rockstate] object CoordinatorReports {
  def apply(id: StateStoreId, hadoopConf: Configuration): CoordinatorReports =
    new CoordinatorReports(id, Option(hadoopConf.get(StreamExecution.RUN_ID_KEY)).map(UUID.fromString))
}

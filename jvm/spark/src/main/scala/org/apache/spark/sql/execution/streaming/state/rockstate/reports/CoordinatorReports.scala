package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.UUID

import scala.util.Try

import org.apache.hadoop.conf.Configuration

import org.apache.spark.SparkEnv
import org.apache.spark.sql.execution.streaming.state.{StateStoreCoordinatorRef, StateStoreId, StateStoreProviderId}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{Coordinator, StreamExecution}

/** What a store tells the driver's coordinator outside of a batch. Tools that read a checkpoint have no query to report for. */
private[rockstate] final class CoordinatorReports(id: StateStoreId, queryRun: Option[UUID]) {

  def snapshotUploaded(version: Long): Unit =
    queryRun.foreach(run => Coordinator.snapshotUploaded(StateStoreProviderId(id, run), version))

  /** Whether the query may still want the store here; a coordinator that cannot be asked does not say. */
  def isActive: Boolean = queryRun.zip(Option(SparkEnv.get)).forall { case (run, env) =>
    Try(StateStoreCoordinatorRef.forExecutor(env).verifyIfInstanceActive(StateStoreProviderId(id, run), env.executorId))
      .getOrElse(true)
  }
}

private[rockstate] object CoordinatorReports {
  def apply(id: StateStoreId, hadoopConf: Configuration): CoordinatorReports =
    new CoordinatorReports(id, Option(hadoopConf.get(StreamExecution.RUN_ID_KEY)).map(UUID.fromString))
}

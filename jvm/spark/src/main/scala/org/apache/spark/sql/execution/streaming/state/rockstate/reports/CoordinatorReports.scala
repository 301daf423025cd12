package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.UUID

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration

import org.apache.spark.SparkEnv
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state.{
  StateStore,
  StateStoreConf,
  StateStoreCoordinatorRef,
  StateStoreId,
  StateStoreProviderId
}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{Coordinator, StreamExecution}

/** What a store tells the driver's coordinator outside of a batch. Tools that read a checkpoint have no query to report for. */
private[rockstate] final class CoordinatorReports(id: StateStoreId, private val queryRun: Option[UUID])
    extends Logging {

  /** The next snapshot tells it anew if the driver cannot be reached. */
  def snapshotStored(version: Long, conf: StateStoreConf): Unit = queryRun.foreach { run =>
    try Coordinator.snapshotUploaded(StateStoreProviderId(id, run), version, conf)
    catch { case NonFatal(e) => logWarning(s"Could not tell Spark's coordinator of the snapshot $version of $id", e) }
  }

  /** Whether the coordinator has it that a running query's store is here; none if it cannot be asked. */
  def isActive: Option[Boolean] =
    asked((coordinator, store) => coordinator.verifyIfInstanceActive(store, SparkEnv.get.executorId))

  /** Whether it is one of a running query, here or on another executor; none if that cannot be asked. */
  def isOfQuery: Option[Boolean] =
    if (queryRun.isEmpty) Some(false) else asked(_.getLocation(_).isDefined)

  /** Whether Spark has it here, for tasks to come. The coordinator knows nothing of those that are unloaded with each commit. */
  def isHeldHere: Boolean = queryRun.exists(run => StateStore.isLoaded(StateStoreProviderId(id, run)))

  /** Whether both are of one run of a query. */
  def isOfRunOf(other: CoordinatorReports): Boolean = queryRun.isDefined && queryRun == other.queryRun

  private def asked(question: (StateStoreCoordinatorRef, StateStoreProviderId) => Boolean): Option[Boolean] =
    queryRun.zip(Option(SparkEnv.get)).flatMap { case (run, env) =>
      Try(question(StateStoreCoordinatorRef.forExecutor(env), StateStoreProviderId(id, run))).toOption
    }
}

private[rockstate] object CoordinatorReports {
  def apply(id: StateStoreId, hadoopConf: Configuration): CoordinatorReports =
    new CoordinatorReports(id, Option(hadoopConf.get(StreamExecution.RUN_ID_KEY)).map(UUID.fromString))
}

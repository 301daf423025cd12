package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.util.UUID

import org.apache.spark.sql.execution.streaming.state._

/** What Spark's coordinator hears of commits. */
private[conformance] object CommitTracking {

  /** It is to hear of the commit on `version` of this store. */
  def track(runId: UUID, version: Long, id: StateStoreId): Unit =
    coordinator.startStateStoreCommitTrackingForBatch(
      runId,
      version,
      Map(id.operatorId -> Map(id.storeName -> (id.partitionId + 1)))
    )

  /** Fails if it has not heard of it. */
  def validate(runId: UUID, version: Long): Unit = coordinator.validateStateStoreCommitForBatch(runId, version)

  private def coordinator: StateStoreCoordinatorRef =
    StateStoreProvider.coordinatorRef.getOrElse(throw new IllegalStateException("There is no coordinator"))
}

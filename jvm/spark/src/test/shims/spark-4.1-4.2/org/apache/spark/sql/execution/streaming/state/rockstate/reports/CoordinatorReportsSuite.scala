package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.TestRows
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.util.Utils

/** What the driver's coordinator hears of commits and snapshots. */
class CoordinatorReportsSuite extends SharedSparkSession {
  import TestRows._

  private def confs(more: Map[String, String] = Map.empty): SQLConf = {
    val conf = SQLConf.get.clone()
    conf.setConf(SQLConf.STATE_STORE_PROVIDER_CLASS, classOf[io.rockstate.RockStateStoreProvider].getName)
    conf.setConf(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT, 1)
    more.foreach { case (key, value) => conf.setConfString(key, value) }
    conf
  }

  private def newId(folder: String): StateStoreProviderId =
    StateStoreProviderId(StateStoreId(folder, operatorId = 0, partitionId = 0), UUID.randomUUID())

  private def withStore(folder: String = Utils.createTempDir().toString)(
      body: (StateStoreProvider, StateStoreProviderId, StateStoreCoordinatorRef) => Unit
  ): Unit = {
    val coordinator = spark.streams.stateStoreCoordinator
    val conf = confs()
    val id = newId(folder)
    val spec = NoPrefixKeyStateEncoderSpec(keySchema)
    val provider = StateStoreProvider.createAndInit(
      id,
      keySchema,
      valueSchema,
      spec,
      useColumnFamilies = false,
      new StateStoreConf(conf),
      new Configuration,
      useMultipleValuesPerKey = false,
      stateSchemaProvider = None
    )
    try body(provider, id, coordinator)
    finally provider.close()
  }

  private def commit(provider: StateStoreProvider, version: Long): Unit = {
    val store = provider.getStore(version)
    (1 to 100).foreach(i => put(store, "a", i, i))
    store.commit()
    ()
  }

  test("a commit is reported, so that Spark's validation of a batch passes, and only then") {
    withStore() { (provider, id, coordinator) =>
      val expected = Map(0L -> Map(StateStoreId.DEFAULT_STORE_NAME -> 1))
      coordinator.startStateStoreCommitTrackingForBatch(id.queryRunId, 0, expected)
      coordinator.startStateStoreCommitTrackingForBatch(id.queryRunId, 1, expected)
      commit(provider, 0)
      coordinator.validateStateStoreCommitForBatch(id.queryRunId, 0)
      provider.getStore(1).abort()
      intercept[SparkException](coordinator.validateStateStoreCommitForBatch(id.queryRunId, 1))
    }
  }

  test("a snapshot is reported when maintenance has uploaded it") {
    withStore() { (provider, id, coordinator) =>
      commit(provider, 0)
      commit(provider, 1)
      assert(coordinator.getLatestSnapshotVersionForTesting(id).isEmpty)
      provider.doMaintenance()
      assert(coordinator.getLatestSnapshotVersionForTesting(id).contains(2L))
    }
  }

  test("the snapshot that a query's store is loaded from is reported, not a reader's, nor where nobody wants to know") {
    val folder = Utils.createTempDir().toString
    withStore(folder) { (provider, id, coordinator) =>
      commit(provider, 0)
      provider.doMaintenance()
      commit(provider, 1)
      assert(coordinator.getLatestSnapshotVersionForTesting(id).contains(1L))
    }
    withStore(folder) { (reader, id, coordinator) =>
      reader.getStore(2).abort()
      assert(coordinator.getLatestSnapshotVersionForTesting(id).isEmpty)
    }
    def loaded(isWanted: Boolean): Option[Long] = {
      val conf = confs(Map(SQLConf.STATE_STORE_COORDINATOR_REPORT_SNAPSHOT_UPLOAD_LAG.key -> s"$isWanted"))
      val id = newId(folder)
      StateStore
        .get(
          id,
          keySchema,
          valueSchema,
          NoPrefixKeyStateEncoderSpec(keySchema),
          2,
          stateStoreCkptId = None,
          stateSchemaBroadcast = None,
          useColumnFamilies = false,
          new StateStoreConf(conf),
          new Configuration
        )
        .abort()
      spark.streams.stateStoreCoordinator.getLatestSnapshotVersionForTesting(id)
    }
    try assert(loaded(isWanted = true).contains(1L) && loaded(isWanted = false).isEmpty)
    finally StateStore.unloadAll()
  }
}

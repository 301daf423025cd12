package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.sql.execution.datasources.v2.state.{
  StateDataSourceChangeDataReaderSuite,
  StateDataSourceNegativeTestSuite,
  StateDataSourceReadSuite
}
import org.apache.spark.sql.execution.streaming.state.StateStoreProvider
import org.apache.spark.sql.internal.SQLConf

/** Spark's own tests of reading a checkpoint's state, over ours. Those over checkpoints that Spark ships with its tests stay out. */
class RockstateDataSourceReadSuite extends StateDataSourceReadSuite {
  override protected def newStateStoreProvider(): StateStoreProvider = new io.rockstate.RockStateStoreProvider

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set(SQLConf.STATE_STORE_PROVIDER_CLASS.key, newStateStoreProvider().getClass.getName)
    spark.conf.set(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key, 2)
  }

  test("ERROR: snapshot of version not found")(testSnapshotNotFound())

  test("provider.replayReadStoreFromSnapshot(snapshotVersion, endVersion)")(testGetReadStoreWithStartVersion())

  test("option snapshotPartitionId")(testSnapshotPartitionId())
}

/** Spark's own tests of the change feed, over ours. */
class RockstateChangeFeedSuite extends StateDataSourceChangeDataReaderSuite {
  override protected def newStateStoreProvider(): StateStoreProvider = new io.rockstate.RockStateStoreProvider
}

class RockstateDataSourceErrorsSuite extends StateDataSourceNegativeTestSuite with OnRockstate

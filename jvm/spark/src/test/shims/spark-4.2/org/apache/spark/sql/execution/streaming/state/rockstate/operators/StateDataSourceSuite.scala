package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.sql.execution.datasources.v2.state.{
  StateDataSourceChangeDataReaderSuite,
  StateDataSourceNegativeTestSuite,
  StateDataSourceNoEmptyDirCreationSuite,
  StateDataSourceReadSuite
}
import org.apache.spark.sql.execution.streaming.state.StateStoreProvider
import org.apache.spark.sql.execution.streaming.state.rockstate.operators.OnRockstate
import org.apache.spark.sql.internal.SQLConf

/** Spark's own tests of reading a checkpoint's state, over ours. Those over checkpoints that Spark ships with its tests stay out. */
abstract class DataSourceReadOnRockstate extends StateDataSourceReadSuite with SlowTests {
  override protected def isSlow(testName: String): Boolean =
    SlowTests.isOfFirstFormat(testName) || testName.endsWith("join state v3")

  protected def checkpointFormat: Int

  override protected def newStateStoreProvider(): StateStoreProvider = new io.rockstate.RockStateStoreProvider

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set(SQLConf.STATE_STORE_PROVIDER_CLASS.key, newStateStoreProvider().getClass.getName)
    spark.conf.set(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key, checkpointFormat.toString)
    spark.conf.set(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key, 2)
  }

  test("ERROR: snapshot of version not found")(testSnapshotNotFound())

  test("provider.replayReadStoreFromSnapshot(snapshotVersion, endVersion)")(testGetReadStoreWithStartVersion())

  test("option snapshotPartitionId")(testSnapshotPartitionId())

  test("snapshotStartBatchId on join state v3")(withASnapshotOfEachBatch(testSnapshotOnJoinStateV3()))

  test("snapshotStartBatchId on join state v4")(withASnapshotOfEachBatch(testSnapshotOnJoinStateV4()))

  private def withASnapshotOfEachBatch(test: => Unit): Unit =
    withSQLConf(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "1")(test)
}

class RockstateDataSourceReadSuiteWithCheckpointIds extends DataSourceReadOnRockstate {
  override protected def checkpointFormat: Int = 2
}

/** Spark's own tests of the change feed, over ours. */
abstract class ChangeFeedOnRockstate extends StateDataSourceChangeDataReaderSuite {
  protected def checkpointFormat: Int

  override protected def newStateStoreProvider(): StateStoreProvider = new io.rockstate.RockStateStoreProvider

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key, checkpointFormat.toString)
  }
}

class RockstateChangeFeedSuiteWithCheckpointIds extends ChangeFeedOnRockstate {
  override protected def checkpointFormat: Int = 2
}

class RockstateDataSourceErrorsSuite extends StateDataSourceNegativeTestSuite with OnRockstate

class RockstateDataSourceEmptyFoldersSuite extends StateDataSourceNoEmptyDirCreationSuite with OnRockstate {

  /** Which folders a read makes does not depend on the operator. */
  override protected def isSlow(testName: String): Boolean =
    !Seq("streaming aggregation", "transformWithState", "deleted state directory").exists(testName.contains(_))
}

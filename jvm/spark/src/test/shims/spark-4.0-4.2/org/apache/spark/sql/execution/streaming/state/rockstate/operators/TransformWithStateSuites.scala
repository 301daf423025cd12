package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.datasources.v2.state.StateDataSourceTransformWithStateSuite
import org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming._

class RockstateTransformWithStateUnsafeRowSuite
    extends TransformWithStateUnsafeRowSuite
    with TransformWithStateOnRockstateOnce
    with InTwoPartitions {
  override protected def isSlow(testName: String): Boolean =
    testName.contains("availableNow trigger mode") ||
      (testName.contains("StateSchemaV3") && testName.contains("useImplicits=false"))
}

class RockstateTransformWithStateAvroSuite
    extends TransformWithStateAvroSuite
    with TransformWithStateOnRockstateOnce
    with InTwoPartitions
    with CheckpointFormat2 {

  /** What does not depend on the encoding is as with unsafe rows. */
  override protected def isSlow(testName: String): Boolean =
    !Seq("evolution", "upcasting", "threshold throws", "add and remove field").exists(testName.contains(_))

  override protected def impossible: Map[String, String] = Map(
    "state data source - schema evolution with time travel support" ->
      "starts from a snapshot of every batch it names; ours are made when the deltas are worth one"
  )
}

/** Some tests want a provider that Spark refuses: the session's own is Spark's default, and only what they name is Rockstate. */
class RockstateTransformWithStateValidationSuite
    extends TransformWithStateValidationSuite
    with TransformWithStateOnRockstate {
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.STATE_STORE_PROVIDER_CLASS.key, classOf[HDFSBackedStateStoreProvider].getName)
}

class RockstateTransformWithListStateSuite extends TransformWithListStateSuite with TransformWithStateOnRockstateOnce

class RockstateTransformWithMapStateSuite extends TransformWithMapStateSuite with TransformWithStateOnRockstateOnce

/** Tests that Spark runs with both encodings, where what they test does not depend on it. */
trait SlowWithAvro extends TransformWithStateOnRockstate {
  override protected def isSlow(testName: String): Boolean = testName.contains("(encoding = avro)")
}

class RockstateTransformWithValueStateTTLSuite
    extends TransformWithValueStateTTLSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with SlowWithAvro

class RockstateTransformWithListStateTTLSuite
    extends TransformWithListStateTTLSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with SlowWithAvro

class RockstateTransformWithMapStateTTLSuite
    extends TransformWithMapStateTTLSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with SlowWithAvro

/** The state of one query as another's initial state is tested for six pairs of partition counts, and all with both encodings: one is quick
  * enough.
  */
class RockstateTransformWithStateInitialStateSuite
    extends TransformWithStateInitialStateSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2 {
  override protected def isSlow(testName: String): Boolean =
    testName.contains("(encoding = avro)") ||
      (testName.startsWith("state data source reader dataframe") &&
        !testName.contains(
          "(flatten option=true, shuffle partition for 1st stream=5, shuffle partition for 1st stream=2)"
        ))
}

class RockstateTransformWithStateChainingSuite
    extends TransformWithStateChainingSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with SlowWithAvro

class RockstateDataSourceTransformWithStateSuite
    extends StateDataSourceTransformWithStateSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with SlowWithAvro {

  /** Lists and maps with a TTL show those without. The first test's seconds are no test of a TTL. */
  override protected def isSlow(testName: String): Boolean =
    super.isSlow(testName) || Seq("integration - list state (", "map state with single").exists(testName.contains(_))

  override protected def impossible: Map[String, String] = Map(
    "snapshotStartBatchId with transformWithState" -> OnRockstate.writesRocksDBFiles
  )
}

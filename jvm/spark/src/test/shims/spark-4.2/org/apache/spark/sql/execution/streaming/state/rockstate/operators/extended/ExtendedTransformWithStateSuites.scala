package org.apache.spark.sql.execution.streaming.state.rockstate.operators.extended

import org.apache.spark.sql.execution.datasources.v2.state.StateDataSourceTransformWithStateSuite
import org.apache.spark.sql.execution.streaming.state.EnableStateStoreRowChecksum
import org.apache.spark.sql.execution.streaming.state.rockstate.operators._
import org.apache.spark.sql.streaming._

// With row checksums, or in the checkpoint format that `TransformWithStateSuites` has not.

class RockstateTransformWithListStateChecksumSuite
    extends TransformWithListStateSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with EnableStateStoreRowChecksum

class RockstateTransformWithMapStateChecksumSuite
    extends TransformWithMapStateSuite
    with TransformWithStateOnRockstateOnce
    with CheckpointFormat2
    with EnableStateStoreRowChecksum

class RockstateTransformWithStateChainingChecksumSuite
    extends TransformWithStateChainingSuite
    with TransformWithStateOnRockstateOnce
    with EnableStateStoreRowChecksum

class RockstateTransformWithStateInitialStateChecksumSuite
    extends TransformWithStateInitialStateSuite
    with TransformWithStateOnRockstateOnce
    with EnableStateStoreRowChecksum

class RockstateDataSourceTransformWithStateFormat1Suite
    extends StateDataSourceTransformWithStateSuite
    with TransformWithStateOnRockstateOnce {
  override protected def impossible: Map[String, String] = Map(
    "snapshotStartBatchId with transformWithState" -> OnRockstate.writesRocksDBFiles
  )
}

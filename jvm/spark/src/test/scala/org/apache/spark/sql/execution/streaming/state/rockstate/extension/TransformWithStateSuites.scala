package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.SparkConf
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming._

/** Checkpoint format 2, which `rockstate.configure` sets, instead of Spark's default. */
trait CheckpointFormat2 extends SparksTestsOnRockState {
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key, "2")
}

class RockStateTransformWithStateUnsafeRowSuite
    extends TransformWithStateUnsafeRowSuite
    with SparksRocksDBTestsOnRockState

class RockStateTransformWithStateAvroSuite
    extends TransformWithStateAvroSuite
    with SparksRocksDBTestsOnRockState
    with CheckpointFormat2

class RockStateTransformWithStateValidationSuite extends TransformWithStateValidationSuite with SparksTestsOnRockState

class RockStateTransformWithListStateSuite extends TransformWithListStateSuite with SparksRocksDBTestsOnRockState

class RockStateTransformWithMapStateSuite extends TransformWithMapStateSuite with SparksRocksDBTestsOnRockState

class RockStateTransformWithValueStateTTLSuite
    extends TransformWithValueStateTTLSuite
    with SparksRocksDBTestsOnRockState
    with CheckpointFormat2

class RockStateTransformWithListStateTTLSuite
    extends TransformWithListStateTTLSuite
    with SparksRocksDBTestsOnRockState
    with CheckpointFormat2

class RockStateTransformWithMapStateTTLSuite
    extends TransformWithMapStateTTLSuite
    with SparksRocksDBTestsOnRockState
    with CheckpointFormat2

class RockStateTransformWithStateInitialStateSuite
    extends TransformWithStateInitialStateSuite
    with SparksRocksDBTestsOnRockState
    with CheckpointFormat2

class RockStateTransformWithStateChainingSuite
    extends TransformWithStateChainingSuite
    with SparksRocksDBTestsOnRockState
    with CheckpointFormat2

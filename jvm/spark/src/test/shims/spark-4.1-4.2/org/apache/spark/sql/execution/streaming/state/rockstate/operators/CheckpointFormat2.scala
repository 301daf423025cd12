package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.SparkConf
import org.apache.spark.sql.internal.SQLConf

/** Checkpoint format 2, which `rockstate.configure` sets, instead of Spark's default. */
trait CheckpointFormat2 extends OnRockstate {
  override protected def sparkConf: SparkConf =
    super.sparkConf.set(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key, "2")
}

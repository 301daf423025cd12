package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExecBase
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.RockStateStoreProvider

/** A `transformWithState` operator that runs on Rockstate; other providers it accepts or refuses as Spark's own operator does. */
private[extension] trait AcceptsRockState extends TransformWithStateExecBase {
  override protected def validateStateStoreProvider(isStreaming: Boolean): Unit =
    if (!AcceptsRockState.isOnRockState(this)) super.validateStateStoreProvider(isStreaming)
}

private[extension] object AcceptsRockState {
  private val provider = classOf[RockStateStoreProvider].getName

  /** Whether the plan's query keeps its state in Rockstate; after a restart that is what its offset log says. */
  def isOnRockState(plan: SparkPlan): Boolean = isOnRockState(plan.conf)

  def isOnRockState(conf: SQLConf): Boolean = conf.getConf(SQLConf.STATE_STORE_PROVIDER_CLASS) == provider
}

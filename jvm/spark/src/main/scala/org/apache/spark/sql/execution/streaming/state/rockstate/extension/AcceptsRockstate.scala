package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExecBase
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.internal.SQLConf

/** A `transformWithState` operator that runs on Rockstate; other providers it accepts or refuses as Spark's own operator does. */
private[extension] trait AcceptsRockstate extends TransformWithStateExecBase {
  override protected def validateStateStoreProvider(isStreaming: Boolean): Unit =
    if (!AcceptsRockstate.isOnRockstate(this)) super.validateStateStoreProvider(isStreaming)
}

private[extension] object AcceptsRockstate {

  /** Whether the plan's query keeps its state in Rockstate; after a restart that is what its offset log says. */
  def isOnRockstate(plan: SparkPlan): Boolean = isOnRockstate(plan.conf)

  def isOnRockstate(conf: SQLConf): Boolean = conf.getConf(SQLConf.STATE_STORE_PROVIDER_CLASS) == ProviderClass.Name
}

package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExecBase
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass

/** A `transformWithState` operator that runs on Rockstate; other providers it accepts or refuses as Spark's own operator does. */
private[extension] trait AcceptsRockstate extends TransformWithStateExecBase {
  override protected def validateStateStoreProvider(isStreaming: Boolean): Unit =
    if (!ProviderClass.isIn(conf)) super.validateStateStoreProvider(isStreaming)
}

package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.streaming.TransformWithStateInPySparkExec
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExec
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass

/** The `transformWithState` operators of this Spark: Scala's and Python's. */
private[extension] object TransformWithStateOperators {

  /** Streaming operators on Rockstate, replaced by those that accept it. */
  val onRockstate: PartialFunction[SparkPlan, SparkPlan] = {
    case done: AcceptsRockstate => done
    case plan: TransformWithStateExec if plan.isStreaming && ProviderClass.isIn(plan.conf) =>
      RockstateTransformWithStateExec(plan)
    case plan: TransformWithStateInPySparkExec if plan.isStreaming && ProviderClass.isIn(plan.conf) =>
      RockstateTransformWithStateInPySparkExec(plan)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/** Replaces `transformWithState` operators of streaming queries on Rockstate by ones that accept it.
  *
  * It has nothing to do with columns: this is the one rule of an extension that Spark applies to a streaming plan after the operators have
  * got their state's place and watermark, which rebuilds them as Spark's own. In a batch query Spark checks no provider and takes its own.
  */
private[extension] object RunTransformWithStateOnRockstate extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = _.transformUp(TransformWithStateOperators.onRockstate)
}

// scalafmt: { binPack.callSite = always, danglingParentheses.preset = false, newlines.configStyle.callSite.prefer = false }
package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical.TransformWithStateInPySpark
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.streaming.TransformWithStateInPySparkExec
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.streaming.{OutputMode, TimeMode}
import org.apache.spark.sql.types.StructType

/** The same as [[RockstateTransformWithStateExec]] for Python's operator. */
private[extension] final class RockstateTransformWithStateInPySparkExec(
    functionExpr: Expression,
    groupingAttributes: Seq[Attribute],
    output: Seq[Attribute],
    outputMode: OutputMode,
    timeMode: TimeMode,
    stateInfo: Option[StatefulOperatorStateInfo],
    batchTimestampMs: Option[Long],
    prevBatchTimestampMs: Option[Long],
    lateEventsWatermark: Option[Long],
    evictionWatermark: Option[Long],
    userFacingDataType: TransformWithStateInPySpark.UserFacingDataType.Value,
    child: SparkPlan,
    isStreaming: Boolean,
    hasInitialState: Boolean,
    initialState: SparkPlan,
    initialStateGroupingAttrs: Seq[Attribute],
    initialStateSchema: StructType
) extends TransformWithStateInPySparkExec(functionExpr, groupingAttributes, output, outputMode, timeMode, stateInfo,
      batchTimestampMs, prevBatchTimestampMs, lateEventsWatermark, evictionWatermark, userFacingDataType, child,
      isStreaming, hasInitialState, initialState, initialStateGroupingAttrs, initialStateSchema)
    with AcceptsRockstate {

  override protected def withNewChildrenInternal(left: SparkPlan, right: SparkPlan): TransformWithStateInPySparkExec =
    RockstateTransformWithStateInPySparkExec(super.withNewChildrenInternal(left, right))

  override def canEqual(other: Any): Boolean = other.isInstanceOf[RockstateTransformWithStateInPySparkExec]
  override def equals(other: Any): Boolean = canEqual(other) && super.equals(other)
}

private[extension] object RockstateTransformWithStateInPySparkExec {
  def apply(plan: TransformWithStateInPySparkExec): RockstateTransformWithStateInPySparkExec = {
    import plan._
    new RockstateTransformWithStateInPySparkExec(functionExpr, groupingAttributes, output, outputMode, timeMode,
      stateInfo, batchTimestampMs, prevBatchTimestampMs, eventTimeWatermarkForLateEvents, eventTimeWatermarkForEviction,
      userFacingDataType, child, isStreaming, hasInitialState, initialState, initialStateGroupingAttrs,
      initialStateSchema)
  }
}

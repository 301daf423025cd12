// scalafmt: { binPack.callSite = always, danglingParentheses.preset = false, newlines.configStyle.callSite.prefer = false }
package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExec
import org.apache.spark.sql.streaming.{OutputMode, StatefulProcessor, TimeMode}

/** Spark's operator that accepts Rockstate. Equal only to its like: Spark drops a replacement that is equal to the original. */
private[extension] final class RockstateTransformWithStateExec(
    keyDeserializer: Expression,
    valueDeserializer: Expression,
    groupingAttributes: Seq[Attribute],
    dataAttributes: Seq[Attribute],
    statefulProcessor: StatefulProcessor[Any, Any, Any],
    timeMode: TimeMode,
    outputMode: OutputMode,
    keyEncoder: ExpressionEncoder[Any],
    outputObjAttr: Attribute,
    stateInfo: Option[StatefulOperatorStateInfo],
    batchTimestampMs: Option[Long],
    prevBatchTimestampMs: Option[Long],
    lateEventsWatermark: Option[Long],
    evictionWatermark: Option[Long],
    child: SparkPlan,
    isStreaming: Boolean,
    isRealTimeMode: Boolean,
    hasInitialState: Boolean,
    initialStateGroupingAttrs: Seq[Attribute],
    initialStateDataAttrs: Seq[Attribute],
    initialStateDeserializer: Expression,
    initialState: SparkPlan
) extends TransformWithStateExec(keyDeserializer, valueDeserializer, groupingAttributes, dataAttributes,
      statefulProcessor, timeMode, outputMode, keyEncoder, outputObjAttr, stateInfo, batchTimestampMs,
      prevBatchTimestampMs, lateEventsWatermark, evictionWatermark, child, isStreaming, isRealTimeMode, hasInitialState,
      initialStateGroupingAttrs, initialStateDataAttrs, initialStateDeserializer, initialState)
    with AcceptsRockstate {

  override protected def withNewChildrenInternal(left: SparkPlan, right: SparkPlan): TransformWithStateExec =
    RockstateTransformWithStateExec(super.withNewChildrenInternal(left, right))

  override def canEqual(other: Any): Boolean = other.isInstanceOf[RockstateTransformWithStateExec]
  override def equals(other: Any): Boolean = canEqual(other) && super.equals(other)
}

private[extension] object RockstateTransformWithStateExec {
  def apply(plan: TransformWithStateExec): RockstateTransformWithStateExec = {
    import plan._
    new RockstateTransformWithStateExec(keyDeserializer, valueDeserializer, groupingAttributes, dataAttributes,
      statefulProcessor, timeMode, outputMode, keyEncoder, outputObjAttr, stateInfo, batchTimestampMs,
      prevBatchTimestampMs, eventTimeWatermarkForLateEvents, eventTimeWatermarkForEviction, child, isStreaming,
      isRealTimeMode, hasInitialState, initialStateGroupingAttrs, initialStateDataAttrs, initialStateDeserializer,
      initialState)
  }
}

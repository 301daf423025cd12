package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.TestRows

/** The same with timestamps in keys, which Spark 4.2 brought. */
class TimestampsInAvroSuite extends AvroSuite {
  import TestRows._

  private lazy val timestamped = TimestampKeyStateEncoder.keySchemaWithTimestamp(keySchema)

  override protected def specs: Seq[(String, KeyStateEncoderSpec, Seq[UnsafeRow])] = {
    val keys = Seq(timestampedKey("a", -5), timestampedKey("a", 5))
    Seq(
      ("timestamp as prefix", TimestampAsPrefixKeyStateEncoderSpec(timestamped), keys),
      ("timestamp as postfix", TimestampAsPostfixKeyStateEncoderSpec(timestamped), keys)
    )
  }

  private def timestampedKey(a: String, time: Long): UnsafeRow = {
    val attach = TimestampKeyStateEncoder.getAttachTimestampProjection(keySchema)
    TimestampKeyStateEncoder.attachTimestamp(attach, timestamped, dataToKeyRow(a, 1), time).copy()
  }
}

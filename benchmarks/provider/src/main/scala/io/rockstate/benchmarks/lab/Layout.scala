package io.rockstate.benchmarks.lab

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** The shape of a store: what an operator tells `init`. */
final case class Layout(
    keySchema: StructType,
    valueSchema: StructType,
    encoder: KeyStateEncoderSpec,
    columnFamilies: Boolean = false,
    multipleValues: Boolean = false
)

object Layout {
  private val number = LongsRow.schema("key")
  private val pair = LongsRow.schema("group", "key")

  /** Keys of 16 bytes, values of 32: what most questions ask about. */
  val Plain: Layout = Layout(number, Values.Schema, NoPrefixKeyStateEncoderSpec(number))

  /** Keys of two longs, found by the first. */
  val Prefixed: Layout = Layout(pair, Values.Schema, PrefixKeyScanStateEncoderSpec(pair, 1))

  /** Keys of two longs, ordered by the first. */
  val Ranged: Layout = Layout(pair, Values.Schema, RangeKeyScanStateEncoderSpec(pair, Seq(0)))

  /** Several column families; operators create theirs in every task. */
  val Families: Layout = Plain.copy(columnFamilies = true)
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.JsonNodeFactory

import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** Rows of one column family, from JSON arrays and back. A row is lent for a call, and overwritten after it, as operators' buffers are. */
private[conformance] final class LabRows(val encoder: String) {
  import LabRows._

  private val shape = new RowShape(encoder)
  val keySchema: StructType = shape.keySchema
  val declaredKeySchema: StructType = shape.declaredKeySchema
  val valueSchema: StructType = shape.valueSchema
  val encoderSpec: KeyStateEncoderSpec = shape.encoderSpec
  private val keys = UnsafeProjection.create(keySchema)
  private val prefixes = UnsafeProjection.create(shape.prefixSchema)
  private val values = UnsafeProjection.create(valueSchema)
  @volatile private var memory: RowMemory = RowMemory.WithinAnother

  /** Rows that are lent from now on lie there. */
  def lieIn(memory: RowMemory): Unit = this.memory = memory

  /** Runs `body` on the row, and makes another of it afterwards. */
  def withKey[T](key: JsonNode)(body: UnsafeRow => T): T = lending(keys(Cells.row(key, keySchema)), keySchema)(body)

  /** The same; the row says that it has so many `fields`, as one does that was taken out of another. */
  def withKey[T](key: JsonNode, fields: Option[Int])(body: UnsafeRow => T): T =
    withKey(key)(row => body(fields.fold(row)(saying(row, _))))

  def withPrefix[T](prefix: JsonNode)(body: UnsafeRow => T): T =
    lending(prefixes(Cells.row(prefix, shape.prefixSchema)), shape.prefixSchema)(body)
  def withValue[T](value: JsonNode)(body: UnsafeRow => T): T =
    lending(values(Cells.row(value, valueSchema)), valueSchema)(body)

  def withValues[T](all: Seq[JsonNode])(body: Array[UnsafeRow] => T): T =
    lendingAll(all.map(value => values(Cells.row(value, valueSchema)).copy()), valueSchema)(body)

  def withKeys[T](all: Seq[JsonNode])(body: Array[UnsafeRow] => T): T =
    lendingAll(all.map(key => keys(Cells.row(key, keySchema)).copy()), keySchema)(body)

  /** Whether the row equals that which is made of its columns, byte by byte. */
  def isAsMade(row: UnsafeRow, isKey: Boolean): Boolean =
    if (isKey) row == keys(Cells.row(keyJson(row), keySchema))
    else row == values(Cells.row(valueJson(row), valueSchema))

  private def lending[T](row: UnsafeRow, schema: StructType)(body: UnsafeRow => T): T =
    lendingAll(Seq(row), schema)(rows => body(rows.head))

  private def lendingAll[T](rows: Seq[UnsafeRow], schema: StructType)(body: Array[UnsafeRow] => T): T = {
    val lent = rows.map(memory.copyOf).toArray
    try body(lent)
    finally lent.foreach(Cells.scribble(_, schema))
  }

  def keyJson(key: UnsafeRow): JsonNode = Cells.json(key, keySchema)
  def valueJson(value: UnsafeRow): JsonNode = Cells.json(value, valueSchema)

  def pairJson(pair: UnsafeRowPair): JsonNode =
    JsonNodeFactory.instance.arrayNode().add(keyJson(pair.key)).add(valueJson(pair.value))
}

private object LabRows {
  private def saying(row: UnsafeRow, fields: Int): UnsafeRow = {
    val other = new UnsafeRow(fields)
    other.pointTo(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
    other
  }
}

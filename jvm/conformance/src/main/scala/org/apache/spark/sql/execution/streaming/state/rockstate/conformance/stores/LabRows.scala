package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.{ArrayNode, JsonNodeFactory}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** Rows of one column family, from JSON arrays and back. Each kind of row has one buffer that is used again and again, as operators do. */
private[conformance] final class LabRows(val encoder: String) {
  import LabRows._

  val keySchema: StructType = encoder match {
    case "none" => new StructType().add("k", StringType)
    case "prefix" => new StructType().add("p", StringType).add("k", IntegerType)
    case "prefix_bigint" => new StructType().add("p", LongType).add("k", IntegerType)
    case "range" => new StructType().add("t", LongType).add("k", StringType)
    case "range_double" => new StructType().add("t", DoubleType).add("k", StringType)
    case "range_two" => new StructType().add("t", LongType).add("s", IntegerType).add("k", StringType)
    case other => throw new UsageException(s"no encoder $other")
  }

  val encoderSpec: KeyStateEncoderSpec = encoder match {
    case "none" => NoPrefixKeyStateEncoderSpec(keySchema)
    case "prefix" | "prefix_bigint" => PrefixKeyScanStateEncoderSpec(keySchema, 1)
    case "range_two" => RangeKeyScanStateEncoderSpec(keySchema, Seq(0, 1))
    case _ => RangeKeyScanStateEncoderSpec(keySchema, Seq(0))
  }

  private val prefixSchema = StructType(keySchema.take(1))
  private val keys = UnsafeProjection.create(keySchema)
  private val prefixes = UnsafeProjection.create(prefixSchema)
  private val values = UnsafeProjection.create(ValueSchema)

  /** Runs `body` on the row in its shared buffer, and fills the buffer with garbage afterwards. */
  def withKey[T](key: JsonNode)(body: UnsafeRow => T): T = lending(keys(internal(key, keySchema)), keySchema)(body)
  def withPrefix[T](prefix: JsonNode)(body: UnsafeRow => T): T =
    lending(prefixes(internal(prefix, prefixSchema)), prefixSchema)(body)
  def withValue[T](value: JsonNode)(body: UnsafeRow => T): T =
    lending(values(internal(value, ValueSchema)), ValueSchema)(body)

  def withValues[T](all: Seq[JsonNode])(body: Array[UnsafeRow] => T): T = {
    val rows = all.map(value => values(internal(value, ValueSchema)).copy()).toArray
    try body(rows)
    finally rows.foreach(scribble(_, ValueSchema))
  }

  def withKeys[T](all: Seq[JsonNode])(body: Array[UnsafeRow] => T): T = {
    val rows = all.map(key => keys(internal(key, keySchema)).copy()).toArray
    try body(rows)
    finally rows.foreach(scribble(_, keySchema))
  }

  def keyJson(key: UnsafeRow): JsonNode = json(key, keySchema)
  def valueJson(value: UnsafeRow): JsonNode = json(value, ValueSchema)

  def pairJson(pair: UnsafeRowPair): JsonNode = Json.arrayNode().add(keyJson(pair.key)).add(valueJson(pair.value))
}

private[conformance] object LabRows {
  val ValueSchema: StructType = new StructType().add("v", StringType).add("n", LongType)
  private val Json = JsonNodeFactory.instance
  private val Scribble = 'Z'.toInt

  private def internal(row: JsonNode, schema: StructType): InternalRow = {
    if (!row.isArray || row.size != schema.size)
      throw new UsageException(s"a row of ${schema.simpleString} cannot be $row")
    InternalRow.fromSeq(schema.fields.toSeq.zipWithIndex.map { case (field, i) =>
      val cell = row.get(i)
      if (cell.isNull) null
      else
        field.dataType match {
          case StringType => UTF8String.fromString(cell.textValue)
          case IntegerType => cell.intValue
          case DoubleType => cell.doubleValue
          case _ => cell.longValue
        }
    })
  }

  /** The row's columns; for memory that cannot be read as such a row, an array that equals no row. */
  private def json(row: UnsafeRow, schema: StructType): JsonNode =
    if (row == null) Json.nullNode()
    else if (UnsafeRowUtils.validateStructuralIntegrityWithReason(row, schema).isDefined) {
      Json.arrayNode().add(s"no row of ${schema.simpleString}")
    } else {
      val cells: ArrayNode = Json.arrayNode()
      schema.fields.zipWithIndex.foreach { case (field, i) =>
        if (row.isNullAt(i)) cells.addNull()
        else
          field.dataType match {
            case StringType => cells.add(row.getUTF8String(i).toString)
            case IntegerType => cells.add(row.getInt(i))
            case DoubleType => cells.add(row.getDouble(i))
            case _ => cells.add(row.getLong(i))
          }
      }
      cells
    }

  private def lending[T](row: UnsafeRow, schema: StructType)(body: UnsafeRow => T): T =
    try body(row)
    finally scribble(row, schema)

  /** Makes another row of it, as well-formed as before: who reads it gets wrong columns, not memory that is none of the row's. */
  private def scribble(row: UnsafeRow, schema: StructType): Unit =
    schema.fields.indices.filterNot(row.isNullAt).foreach { i =>
      schema(i).dataType match {
        case StringType =>
          val text = row.getUTF8String(i)
          (0 until text.numBytes).foreach { at =>
            Platform.putByte(text.getBaseObject, text.getBaseOffset + at, Scribble.toByte)
          }
        case IntegerType => row.setInt(i, Scribble)
        case DoubleType => row.setDouble(i, Scribble.toDouble)
        case _ => row.setLong(i, Scribble.toLong)
      }
    }
}

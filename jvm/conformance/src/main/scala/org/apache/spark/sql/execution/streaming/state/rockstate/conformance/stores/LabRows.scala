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

/** Rows of one column family, from JSON arrays and back. A row is lent for a call, and overwritten after it, as operators' buffers are. */
private[conformance] final class LabRows(val encoder: String) {
  import LabRows._

  val keySchema: StructType = encoder match {
    case "none" | "distinct" | "flag" | "wide" => new StructType().add("k", StringType)
    case "prefix_struct" => new StructType().add("p", Struct).add("k", Struct)
    case "range_struct" => new StructType().add("t", LongType).add("k", Struct)
    case "nothing" => new StructType()
    case "timestamp_first" | "timestamp_last" => new StructType().add("k", StringType).add("t", LongType)
    case "prefix_two" => new StructType().add("p", StringType).add("q", LongType).add("k", IntegerType)
    case "prefix" => new StructType().add("p", StringType).add("k", IntegerType)
    case "prefix_bigint" => new StructType().add("p", LongType).add("k", IntegerType)
    case "range" => new StructType().add("t", LongType).add("k", StringType)
    case "range_two" => new StructType().add("t", LongType).add("s", IntegerType).add("k", StringType)
    case "range_last" => new StructType().add("k", StringType).add("t", LongType).add("s", IntegerType)
    case RangeOf(name) =>
      val column = Ordering.getOrElse(name, throw new UsageException(s"no encoder $encoder"))
      new StructType().add("t", column).add("k", StringType)
    case other => throw new UsageException(s"no encoder $other")
  }

  private val prefixColumns = if (encoder == "prefix_two") 2 else 1

  val encoderSpec: KeyStateEncoderSpec = encoder match {
    case "none" | "distinct" | "flag" | "wide" | "nothing" => NoPrefixKeyStateEncoderSpec(keySchema)
    case "timestamp_first" => CallsSince42.timestampKeys(keySchema, first = true)
    case "timestamp_last" => CallsSince42.timestampKeys(keySchema, first = false)
    case "prefix" | "prefix_bigint" | "prefix_two" | "prefix_struct" =>
      PrefixKeyScanStateEncoderSpec(keySchema, prefixColumns)
    case "range_last" => RangeKeyScanStateEncoderSpec(keySchema, Seq(2, 1))
    case "range_two" => RangeKeyScanStateEncoderSpec(keySchema, Seq(0, 1))
    case _ => RangeKeyScanStateEncoderSpec(keySchema, Seq(0))
  }

  /** As an operator declares it: a join leaves out the timestamp, which the encoder's specification has. */
  val declaredKeySchema: StructType = if (encoder.startsWith("timestamp_")) StructType(keySchema.init) else keySchema

  /** An operator that only has to know its keys stores values without columns. */
  val valueSchema: StructType = encoder match {
    case "distinct" => new StructType()
    case "flag" => new StructType().add("n", LongType)
    case "wide" => ValueSchema.add("d", DoubleType)
    case _ => ValueSchema
  }

  private val prefixSchema = StructType(keySchema.take(prefixColumns))
  private val keys = UnsafeProjection.create(keySchema)
  private val prefixes = UnsafeProjection.create(prefixSchema)
  private val values = UnsafeProjection.create(valueSchema)

  /** Runs `body` on the row, and makes another of it afterwards. */
  def withKey[T](key: JsonNode)(body: UnsafeRow => T): T = lending(keys(internal(key, keySchema)), keySchema)(body)
  def withPrefix[T](prefix: JsonNode)(body: UnsafeRow => T): T =
    lending(prefixes(internal(prefix, prefixSchema)), prefixSchema)(body)
  def withValue[T](value: JsonNode)(body: UnsafeRow => T): T =
    lending(values(internal(value, valueSchema)), valueSchema)(body)

  def withValues[T](all: Seq[JsonNode])(body: Array[UnsafeRow] => T): T =
    lendingAll(all.map(value => values(internal(value, valueSchema)).copy()), valueSchema)(body)

  def withKeys[T](all: Seq[JsonNode])(body: Array[UnsafeRow] => T): T =
    lendingAll(all.map(key => keys(internal(key, keySchema)).copy()), keySchema)(body)

  def keyJson(key: UnsafeRow): JsonNode = json(key, keySchema)
  def valueJson(value: UnsafeRow): JsonNode = json(value, valueSchema)

  def pairJson(pair: UnsafeRowPair): JsonNode = Json.arrayNode().add(keyJson(pair.key)).add(valueJson(pair.value))
}

private[conformance] object LabRows {
  val ValueSchema: StructType = new StructType().add("v", StringType).add("n", LongType)
  private val Struct = new StructType().add("s", StringType).add("n", LongType)
  private val Json = JsonNodeFactory.instance
  private val RangeOf = "range_(.+)".r
  private val Ordering: Map[String, DataType] = Map(
    "double" -> DoubleType,
    "float" -> FloatType,
    "int" -> IntegerType,
    "short" -> ShortType,
    "byte" -> ByteType
  )
  private val Scribble = 'Z'.toInt
  private val Start = Platform.BYTE_ARRAY_OFFSET.toLong
  private val WordBytes = 8

  private def internal(row: JsonNode, schema: StructType): InternalRow = {
    if (!row.isArray || row.size != schema.size)
      throw new UsageException(s"a row of ${schema.simpleString} cannot be $row")
    InternalRow.fromSeq(schema.fields.toSeq.zipWithIndex.map { case (field, i) =>
      val cell = row.get(i)
      if (cell.isNull) null
      else
        field.dataType match {
          case struct: StructType => internal(cell, struct)
          case StringType => UTF8String.fromString(cell.textValue)
          case IntegerType => cell.intValue
          case ShortType => cell.intValue.toShort
          case ByteType => cell.intValue.toByte
          case DoubleType => cell.doubleValue
          case FloatType => cell.doubleValue.toFloat
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
            case struct: StructType => cells.add(json(row.getStruct(i, struct.size), struct))
            case StringType => cells.add(row.getUTF8String(i).toString)
            case IntegerType => cells.add(row.getInt(i))
            case ShortType => cells.add(row.getShort(i).toInt)
            case ByteType => cells.add(row.getByte(i).toInt)
            case DoubleType => cells.add(row.getDouble(i))
            case FloatType => cells.add(row.getFloat(i).toDouble)
            case _ => cells.add(row.getLong(i))
          }
      }
      cells
    }

  private def lending[T](row: UnsafeRow, schema: StructType)(body: UnsafeRow => T): T =
    lendingAll(Seq(row), schema)(rows => body(rows.head))

  private def lendingAll[T](rows: Seq[UnsafeRow], schema: StructType)(body: Array[UnsafeRow] => T): T = {
    val lent = rows.map(withinAnother).toArray
    try body(lent)
    finally lent.foreach(scribble(_, schema))
  }

  /** The row in the midst of an array, as a struct within another row is. */
  private def withinAnother(row: UnsafeRow): UnsafeRow = {
    val bytes = Array.fill(row.getSizeInBytes + 2 * WordBytes)(Scribble.toByte)
    Platform.copyMemory(row.getBaseObject, row.getBaseOffset, bytes, Start + WordBytes, row.getSizeInBytes.toLong)
    val within = new UnsafeRow(row.numFields)
    within.pointTo(bytes, Start + WordBytes, row.getSizeInBytes)
    within
  }

  /** Makes another row of it, as well-formed as before: who reads it gets wrong columns, not memory that is none of the row's. */
  private def scribble(row: UnsafeRow, schema: StructType): Unit =
    schema.fields.indices.filterNot(row.isNullAt).foreach { i =>
      schema(i).dataType match {
        case struct: StructType => scribble(row.getStruct(i, struct.size), struct)
        case StringType =>
          val text = row.getUTF8String(i)
          (0 until text.numBytes).foreach { at =>
            Platform.putByte(text.getBaseObject, text.getBaseOffset + at, Scribble.toByte)
          }
        case IntegerType => row.setInt(i, Scribble)
        case ShortType => row.setShort(i, Scribble.toShort)
        case ByteType => row.setByte(i, Scribble.toByte)
        case DoubleType => row.setDouble(i, Scribble.toDouble)
        case FloatType => row.setFloat(i, Scribble.toFloat)
        case _ => row.setLong(i, Scribble.toLong)
      }
    }
}

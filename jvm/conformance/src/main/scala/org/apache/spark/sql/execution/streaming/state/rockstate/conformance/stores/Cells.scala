package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.{ArrayNode, JsonNodeFactory}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeArrayData, UnsafeRow}
import org.apache.spark.sql.catalyst.util._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** Rows as JSON has them and as Spark does. A row is an array of its columns; bytes are in Base64, decimals are texts, and so are doubles
  * that JSON does not tell from others; a text that is no UTF-8 is an object with its `bytes`; timestamps and dates are the numbers that
  * Spark stores, maps arrays of pairs.
  */
private[conformance] object Cells {
  val Scribble: Int = 'Z'.toInt
  private val Json = JsonNodeFactory.instance
  private val Bytes = "bytes"

  def row(json: JsonNode, schema: StructType): InternalRow = {
    if (!json.isArray || json.size != schema.size)
      throw new UsageException(s"a row of ${schema.simpleString} cannot be $json")
    InternalRow.fromSeq(schema.fields.toSeq.zipWithIndex.map { case (field, i) => cell(json.get(i), field.dataType) })
  }

  /** The row's columns; for memory that cannot be read as such a row, an array that equals no row. */
  def json(row: UnsafeRow, schema: StructType): JsonNode =
    if (row == null) Json.nullNode()
    else if (UnsafeRowUtils.validateStructuralIntegrityWithReason(row, schema).isDefined) {
      Json.arrayNode().add(s"no row of ${schema.simpleString}")
    } else
      array(
        schema.fields.toSeq.zipWithIndex.map { case (field, i) => json(row.get(i, field.dataType), field.dataType) }
      )

  /** Makes another row of it, as well-formed as before: who reads it gets wrong columns, not memory that is none of the row's. */
  def scribble(row: UnsafeRow, schema: StructType): Unit =
    schema.fields.indices.filterNot(row.isNullAt).foreach { i =>
      schema(i).dataType match {
        case struct: StructType => scribble(row.getStruct(i, struct.size), struct)
        case _: StringType => scribble(row.getUTF8String(i))
        case ArrayType(element, _) => scribble(row.getArray(i), element)
        case MapType(key, value, _) =>
          scribble(row.getMap(i).valueArray, value)
          scribble(row.getMap(i).keyArray, key)
        case BinaryType => scribbleBeyond(row, i)
        case decimal: DecimalType if decimal.precision > Decimal.MAX_LONG_DIGITS => scribbleBeyond(row, i)
        case IntegerType | DateType | _: YearMonthIntervalType => row.setInt(i, Scribble)
        case ShortType => row.setShort(i, Scribble.toShort)
        case ByteType => row.setByte(i, Scribble.toByte)
        case BooleanType => row.setBoolean(i, !row.getBoolean(i))
        case DoubleType => row.setDouble(i, Scribble.toDouble)
        case FloatType => row.setFloat(i, Scribble.toFloat)
        case _ => row.setLong(i, Scribble.toLong)
      }
    }

  private def cell(json: JsonNode, dataType: DataType): Any = if (json.isNull) null
  else
    dataType match {
      case struct: StructType => row(json, struct)
      case ArrayType(element, _) => cells(elements(json), element)
      case MapType(key, value, _) =>
        new ArrayBasedMapData(cells(elements(json).map(_.get(0)), key), cells(elements(json).map(_.get(1)), value))
      case _: StringType if json.isObject => UTF8String.fromBytes(json.get(Bytes).binaryValue)
      case _: StringType => UTF8String.fromString(json.textValue)
      case BinaryType => json.binaryValue
      case decimal: DecimalType =>
        Decimal(new java.math.BigDecimal(json.textValue), decimal.precision, decimal.scale)
      case BooleanType => json.booleanValue
      case IntegerType | DateType | _: YearMonthIntervalType => json.intValue
      case ShortType => json.intValue.toShort
      case ByteType => json.intValue.toByte
      case DoubleType => double(json)
      case FloatType => double(json).toFloat
      case _ => json.longValue
    }

  /** JSON has no number for an infinity. */
  private def double(json: JsonNode): Double = if (json.isTextual) json.textValue.toDouble else json.doubleValue

  private def cells(all: Seq[JsonNode], dataType: DataType): ArrayData =
    new GenericArrayData(all.map(cell(_, dataType)))

  private def elements(json: JsonNode): Seq[JsonNode] = Seq.tabulate(json.size)(json.get)

  private def json(value: Any, dataType: DataType): JsonNode = (value, dataType) match {
    case (null, _) => Json.nullNode()
    case (row: UnsafeRow, struct: StructType) => json(row, struct)
    case (all: ArrayData, ArrayType(element, _)) => array(jsons(all, element))
    case (map: MapData, MapType(key, value, _)) =>
      val pairs = jsons(map.keyArray(), key).zip(jsons(map.valueArray(), value))
      array(pairs.map { case (key, value) => array(Seq(key, value)) })
    case (text: UTF8String, _) if !text.isValid => Json.objectNode().put(Bytes, text.getBytes)
    case (bytes: Array[Byte], _) => Json.textNode(java.util.Base64.getEncoder.encodeToString(bytes))
    case (decimal: Decimal, _) => Json.textNode(decimal.toJavaBigDecimal.toPlainString)
    case (flag: Boolean, _) => Json.booleanNode(flag)
    case (number: Double, _) if number.isNaN || number.isInfinite || number.equals(-0.0) =>
      Json.textNode(number.toString)
    case (number: Double, _) => Json.numberNode(number)
    case (number: Float, _) => this.json(number.toDouble, DoubleType)
    case (number: Number, _) => Json.numberNode(number.longValue)
    case _ => Json.textNode(value.toString)
  }

  private def jsons(all: ArrayData, dataType: DataType): Seq[JsonNode] =
    all.toSeq[Any](dataType).map(json(_, dataType))

  private def array(all: Seq[JsonNode]): ArrayNode = {
    val node = Json.arrayNode()
    all.foreach(node.add)
    node
  }

  private def scribble(text: UTF8String): Unit = fill(text.getBaseObject, text.getBaseOffset, text.numBytes)

  private def scribble(all: UnsafeArrayData, element: DataType): Unit =
    (0 until all.numElements).filterNot(all.isNullAt).foreach { at =>
      element match {
        case struct: StructType => scribble(all.getStruct(at, struct.size), struct)
        case _: StringType => scribble(all.getUTF8String(at))
        case IntegerType => all.setInt(at, Scribble)
        case _ => all.setLong(at, Scribble.toLong)
      }
    }

  /** Of a column that lies behind those of one word each: that has where, and how long it is. */
  private def scribbleBeyond(row: UnsafeRow, column: Int): Unit = {
    val place = row.getLong(column)
    fill(row.getBaseObject, row.getBaseOffset + (place >>> 32), place.toInt)
  }

  private def fill(base: AnyRef, offset: Long, length: Int): Unit =
    (0 until length).foreach(at => Platform.putByte(base, offset + at, Scribble.toByte))
}

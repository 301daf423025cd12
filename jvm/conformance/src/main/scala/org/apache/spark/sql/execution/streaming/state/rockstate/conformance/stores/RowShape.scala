package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException
import org.apache.spark.sql.types._

/** The columns of one column family's keys and values, and how its keys are encoded, by the name that checks have for both. */
private[conformance] final class RowShape(encoder: String) {
  import RowShape._

  val keySchema: StructType = encoder match {
    case "none" | "distinct" | "flag" | "wide" | "dummy" | "state" | "rare" => new StructType().add("k", StringType)
    case "null_key" => new StructType().add("key", NullType)
    case "window" => new StructType().add("window", Window).add("k", StringType)
    case "renamed" => required(new StructType().add("name", StringType))
    case "required" => required(new StructType().add("k", StringType).add("t", LongType))
    case "number" => new StructType().add("t", LongType)
    case "texts" => Texts
    case "prefix_texts" => Texts.add("k", IntegerType)
    case "range_texts" => StructType(new StructType().add("t", LongType) ++ Texts)
    case "types" => Types.add("a", ArrayType(LongType)).add("names", ArrayType(StringType))
    case "prefix_types" => Types.add("k", IntegerType)
    case Columns(_, many) => columns(many.toInt)
    case "range_nested" =>
      new StructType().add("t", LongType).add("k", new StructType().add("a", Struct).add("b", Struct))
    case "range_id" => new StructType().add("t", LongType).add("id", LongType)
    case "prefix_struct" => new StructType().add("p", Struct).add("k", Struct)
    case "range_struct" => new StructType().add("t", LongType).add("k", Struct)
    case "nothing" => new StructType()
    case "timestamp_first" | "timestamp_last" => new StructType().add("k", StringType).add("t", LongType)
    case "timestamp_first_two" | "timestamp_last_two" =>
      new StructType().add("k", StringType).add("n", LongType).add("t", LongType)
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

  private val prefixColumns = encoder match {
    case "prefix_two" | "prefix_texts" | "timestamp_last_two" => 2
    case "prefix_types" => Types.size
    case _ => 1
  }

  val encoderSpec: KeyStateEncoderSpec = encoder match {
    case s"timestamp_first$_" => CallsSince42.timestampKeys(keySchema, first = true)
    case s"timestamp_last$_" => CallsSince42.timestampKeys(keySchema, first = false)
    case "range_last" => RangeKeyScanStateEncoderSpec(keySchema, Seq(2, 1))
    case "range_two" => RangeKeyScanStateEncoderSpec(keySchema, Seq(0, 1))
    case s"range_columns_$_" => RangeKeyScanStateEncoderSpec(keySchema, Seq(1))
    case _ if encoder.startsWith("prefix") => PrefixKeyScanStateEncoderSpec(keySchema, prefixColumns)
    case _ if encoder.startsWith("range") => RangeKeyScanStateEncoderSpec(keySchema, Seq(0))
    case _ => NoPrefixKeyStateEncoderSpec(keySchema)
  }

  /** As an operator declares it: a join leaves out the timestamp, which the encoder's specification has. */
  val declaredKeySchema: StructType = if (encoder.startsWith("timestamp_")) StructType(keySchema.init) else keySchema

  val prefixSchema: StructType = StructType(keySchema.take(prefixColumns))

  /** An operator that only has to know its keys stores values without columns. */
  val valueSchema: StructType = encoder match {
    case "distinct" => new StructType()
    case "dummy" => new StructType().add("__dummy__", NullType)
    case "flag" | "null_key" => new StructType().add("n", LongType)
    case "window" => new StructType().add("first", Struct).add("n", LongType)
    case "renamed" => required(new StructType().add("text", StringType).add("total", LongType))
    case "required" => required(Value.add("d", DoubleType))
    case "wide" => Value.add("d", DoubleType)
    case "types" => StructType(keySchema).add("m", MapType(StringType, LongType))
    case "rare" => Rare
    case "state" => new StructType().add("groupState", Nested).add("timeoutTimestamp", LongType)
    case Columns(_, many) => columns(many.toInt)
    case _ => Value
  }
}

private object RowShape {
  private val Value = new StructType().add("v", StringType).add("n", LongType)
  private val Window = new StructType().add("start", TimestampType).add("end", TimestampType)
  private val Struct = new StructType().add("s", StringType).add("n", LongType)
  private val Texts = new StructType().add("a", StringType).add("b", StringType)

  /** Types that a key may be of, too. */
  private val Types = new StructType()
    .add("bytes", BinaryType)
    .add("small", DecimalType(10, 2))
    .add("large", DecimalType(38, 18))
    .add("flag", BooleanType)
    .add("at", TimestampType)
    .add("day", DateType)
    .add("int", IntegerType)
    .add("short", ShortType)
    .add("byte", ByteType)
    .add("float", FloatType)
    .add("local", TimestampNTZType)
    .add("double", DoubleType)

  /** What a group's state may be made of. */
  private val Nested = new StructType()
    .add("numbers", ArrayType(LongType))
    .add("counts", MapType(StringType, LongType))
    .add("inner", new StructType().add("deep", Struct).add("n", LongType))
    .add("rows", ArrayType(Struct))
    .add("ints", ArrayType(IntegerType))

  /** Types of which an operator's functions may make a value. */
  private val Rare = new StructType()
    .add("collated", StringType("UTF8_LCASE"))
    .add("months", YearMonthIntervalType())
    .add("seconds", DayTimeIntervalType())

  private val Columns = "((?:prefix_|range_)?)columns_(\\d+)".r
  private val RangeOf = "range_(.+)".r
  private val Ordering: Map[String, DataType] = Map(
    "double" -> DoubleType,
    "float" -> FloatType,
    "int" -> IntegerType,
    "short" -> ShortType,
    "byte" -> ByteType
  )

  /** The columns, of which none can be null. */
  private def required(schema: StructType): StructType = StructType(schema.map(_.copy(nullable = false)))

  /** So many columns, texts and numbers in turn. */
  private def columns(many: Int): StructType =
    StructType(Seq.tabulate(many)(i => StructField(s"c$i", if (i % 2 == 0) StringType else LongType)))
}

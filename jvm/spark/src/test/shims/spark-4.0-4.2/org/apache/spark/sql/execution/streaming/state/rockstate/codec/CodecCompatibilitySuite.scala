package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.apache.spark.sql.RandomDataGenerator
import org.apache.spark.sql.catalyst.{CatalystTypeConverters, InternalRow}
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.TestRows._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform

/** The fast paths against Spark's own encoders: the same bytes, so that either can read what the other wrote. */
class CodecCompatibilitySuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import CodecCompatibilitySuite._

  private val spec = NoPrefixKeyStateEncoderSpec(keySchema)
  private val data = new UnsafeRowDataEncoder(spec, valueSchema)
  private val words = Gen.frequency(1 -> Gen.const(""), 9 -> Gen.alphaNumStr)
  private val numbers = Gen.chooseNum(Int.MinValue, Int.MaxValue)

  test("a plain key is the family's id and the bytes of Spark's encoder") {
    val family = 0x0102
    val plain = new PlainKeyCodec(family, keySchema.length)
    val sparks = new SparkKeyCodec(family, spec.toEncoder(data, useColumnFamilies = false))
    forAll(words, numbers) { (word, number) =>
      val key = dataToKeyRow(word, number)
      val bytes = plain.encode(key)
      assert(bytes.take(2).toSeq == Seq[Byte](1, 2))
      assert(util.Arrays.equals(bytes, sparks.encode(key)))
      assert(keyRowToData(plain.decode(bytes)) == ((word, number)))
      assert(plain.decode(bytes) == sparks.decode(bytes))
    }
  }

  test("a plain value is the bytes of Spark's encoder") {
    val plain = new PlainValueCodec(valueSchema.length)
    val sparks = new SparkValueCodec(new SingleValueStateEncoder(data, valueSchema), data)
    forAll(numbers) { number =>
      val value = dataToValueRow(number)
      assert(util.Arrays.equals(plain.encode(value), sparks.encode(value)))
      val surrounded = Array.fill[Byte](4)(9) ++ plain.encode(value) ++ Array.fill[Byte](3)(9)
      Seq(plain, sparks).foreach(codec => assert(codec.decode(surrounded, 4, surrounded.length - 3) == value))
    }
  }

  test("an encoded prefix is a byte prefix of every key that starts with those columns, and of no other") {
    val keys = new SparkKeyCodec(0, prefixEncoder(keySchema, 1))
    forAll(words, words, numbers) { (word, other, number) =>
      val prefix = keys.encodePrefix(dataToPrefixKeyRow(word))
      assert(keys.encode(dataToKeyRow(word, number)).startsWith(prefix))
      if (other != word) assert(!keys.encode(dataToKeyRow(other, number)).startsWith(prefix))
    }
  }

  test("a prefix key's codec reads what Spark's encoder wrote, and encodes prefixes as it does") {
    val random = new scala.util.Random(7)
    val sizes =
      Seq((1, 1), (1, 5), (5, 1), (3, 4), (63, 1), (64, 1), (1, 64), (65, 3), (3, 65), (64, 64), (60, 70), (130, 10))
    for ((left, right) <- sizes; _ <- 1 to 5) {
      val schema = RandomDataGenerator.randomSchema(random, left + right, FieldTypes)
      val encoder = prefixEncoder(schema, left)
      val sparks = new SparkKeyCodec(0x0102, encoder)
      val ours = new PrefixKeyCodec(0x0102, encoder, schema, left)
      val projection = UnsafeProjection.create(schema)
      val prefixProjection = UnsafeProjection.create(StructType(schema.take(left)))
      val toCatalyst = CatalystTypeConverters.createToCatalystConverter(schema)
      val rows = RandomDataGenerator.forType(schema, nullable = false, random).get
      for (_ <- 1 to 20) {
        val values = toCatalyst(rows()).asInstanceOf[InternalRow]
        val key = projection(values).copy()
        val bytes = ours.encode(key)
        assert(util.Arrays.equals(bytes, sparks.encode(key)))
        val decoded = ours.decode(bytes)
        assert(decoded == sparks.decode(bytes), s"$left and $right fields of $schema")
        assert(decoded == key)
        val prefix = prefixProjection(values)
        assert(util.Arrays.equals(ours.encodePrefix(prefix), sparks.encodePrefix(prefix)))
      }
    }
  }

  test("a range key's codec reads what Spark's encoder wrote") {
    val random = new scala.util.Random(7)
    for ((left, right) <- Seq((1, 1), (1, 5), (2, 3), (4, 1), (64, 1), (66, 3)); _ <- 1 to 5) {
      val schema = StructType(
        Seq.fill(left)(Numbers(random.nextInt(Numbers.size))).zipWithIndex.map { case (t, i) =>
          StructField(s"n$i", t)
        } ++
          RandomDataGenerator.randomSchema(random, right, FieldTypes)
      )
      val spec = RangeKeyScanStateEncoderSpec(schema, 0 until left)
      assert(RangeKeyCodec.isFor(spec))
      val encoder = spec.toEncoder(new UnsafeRowDataEncoder(spec, valueSchema), useColumnFamilies = false)
      val sparks = new SparkKeyCodec(0x0102, encoder)
      val ours = new RangeKeyCodec(0x0102, encoder, schema, left)
      val projection = UnsafeProjection.create(schema)
      val toCatalyst = CatalystTypeConverters.createToCatalystConverter(schema)
      val rows = RandomDataGenerator.forType(schema, nullable = false, random).get
      for (_ <- 1 to 40) {
        val key = projection(toCatalyst(rows()).asInstanceOf[InternalRow]).copy()
        val bytes = ours.encode(key)
        assert(util.Arrays.equals(bytes, sparks.encode(key)))
        val decoded = ours.decode(bytes)
        assert(decoded == sparks.decode(bytes), s"$left and $right fields of $schema")
        assert(decoded == key)
      }
    }
  }

  test("a range key of other columns is left to Spark's encoder, and one of another schema is refused") {
    val numbers = StructType.fromDDL("a BIGINT, b BIGINT, c BIGINT")
    for (ordinals <- Seq(Seq(1), Seq(1, 0), Seq(0, 1, 2), Seq(0, 2)))
      assert(!RangeKeyCodec.isFor(RangeKeyScanStateEncoderSpec(numbers, ordinals)))
    assert(!RangeKeyCodec.isFor(RangeKeyScanStateEncoderSpec(StructType.fromDDL("a DOUBLE, b BIGINT"), Seq(0))))
    def codec(schema: StructType, ordering: Int): RangeKeyCodec = {
      val spec = RangeKeyScanStateEncoderSpec(schema, 0 until ordering)
      new RangeKeyCodec(1, spec.toEncoder(new UnsafeRowDataEncoder(spec, valueSchema), false), schema, ordering)
    }
    val bytes = codec(numbers, 1).encode(UnsafeProjection.create(numbers)(InternalRow(1L, 2L, 3L)))
    for ((schema, ordering) <- Seq((numbers, 2), (StructType(numbers ++ numbers), 1)))
      assert(
        intercept[IllegalStateException](codec(schema, ordering).decode(bytes)).getMessage.contains("another schema")
      )
  }

  test("a key of another schema than the prefix key's codec has is refused") {
    def codec(columns: Int, inPrefix: Int): PrefixKeyCodec = {
      val schema = StructType(Seq.tabulate(columns)(i => StructField(s"c$i", LongType)))
      new PrefixKeyCodec(1, prefixEncoder(schema, inPrefix), schema, inPrefix)
    }
    val key = UnsafeProjection.create(Array[DataType](LongType, LongType))(InternalRow(1L, 2L))
    val bytes = codec(2, 1).encode(key)
    assert(codec(2, 1).decode(bytes) == key)
    val damagedSizes = Seq(-1, 0, Int.MinValue, Int.MaxValue, bytes.length).map { size =>
      val damaged = bytes.clone
      Platform.putInt(damaged, Platform.BYTE_ARRAY_OFFSET + KeyCodec.FamilyBytes, size)
      damaged
    }
    for (stored <- damagedSizes) intercept[IllegalStateException](codec(2, 1).decode(stored))
    for ((columns, inPrefix) <- Seq((3, 1), (3, 2)))
      assert(
        intercept[IllegalStateException](codec(columns, inPrefix).decode(bytes)).getMessage.contains("another schema")
      )
  }

  test("the range of a prefix holds exactly the keys that start with it") {
    val bytes = Gen.listOf(Gen.oneOf(Seq[Byte](0, 1, 127, -128, -2, -1))).map(_.take(4).toArray)
    forAll(bytes, bytes) { (prefix, key) =>
      val range = KeyRange.ofPrefix(prefix)
      val isAbove = util.Arrays.compareUnsigned(key, range.lower) >= 0
      val isBelow = range.upper == null || util.Arrays.compareUnsigned(key, range.upper) < 0
      assert((isAbove && isBelow) == key.startsWith(prefix))
    }
  }
}

private object CodecCompatibilitySuite {
  private def prefixEncoder(schema: StructType, prefixFields: Int): RocksDBKeyStateEncoder = {
    val spec = PrefixKeyScanStateEncoderSpec(schema, prefixFields)
    spec.toEncoder(new UnsafeRowDataEncoder(spec, valueSchema), useColumnFamilies = false)
  }

  val Numbers: Seq[DataType] = Seq(LongType, IntegerType, ShortType, ByteType)

  /** Fixed and variable length, and decimals that keep their place when they are null. */
  val FieldTypes: Seq[DataType] = Seq(
    BooleanType,
    IntegerType,
    LongType,
    DoubleType,
    TimestampType,
    DecimalType(10, 2),
    DecimalType(38, 10),
    StringType,
    BinaryType,
    ArrayType(IntegerType),
    StructType.fromDDL("a STRING, b INT")
  )
}

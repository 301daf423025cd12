package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.StateStoreTestsHelper._

/** The fast paths against Spark's own encoders: the same bytes, so that either can read what the other wrote. */
class CodecCompatibilitySuite extends AnyFunSuite with ScalaCheckPropertyChecks {
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
    val sparks = new SparkValueCodec(new SingleValueStateEncoder(data, valueSchema))
    forAll(numbers) { number =>
      val value = dataToValueRow(number)
      assert(util.Arrays.equals(plain.encode(value), sparks.encode(value)))
      val surrounded = Array.fill[Byte](4)(9) ++ plain.encode(value) ++ Array.fill[Byte](3)(9)
      Seq(plain, sparks).foreach(codec => assert(codec.decode(surrounded, 4, surrounded.length - 3) == value))
    }
  }

  test("an encoded prefix is a byte prefix of every key that starts with those columns, and of no other") {
    val prefixSpec = PrefixKeyScanStateEncoderSpec(keySchema, 1)
    val keys = new SparkKeyCodec(0, prefixSpec.toEncoder(new UnsafeRowDataEncoder(prefixSpec, valueSchema), false))
    forAll(words, words, numbers) { (word, other, number) =>
      val prefix = keys.encodePrefix(dataToPrefixKeyRow(word))
      assert(keys.encode(dataToKeyRow(word, number)).startsWith(prefix))
      if (other != word) assert(!keys.encode(dataToKeyRow(other, number)).startsWith(prefix))
    }
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

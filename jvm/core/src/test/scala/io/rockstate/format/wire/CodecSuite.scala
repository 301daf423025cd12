package io.rockstate.format.wire

import scala.util.{Failure, Random, Success, Try}

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.errors.Unsupported
import io.rockstate.format.FlippedBit

class CodecSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import CodecSuite.Content

  private val contents: Gen[Content] = for {
    size <- Gen.oneOf(Gen.choose(1, 300), Gen.choose(1, 200000))
    period <- Gen.option(Gen.choose(1, 50))
    seed <- Arbitrary.arbitrary[Long]
  } yield Content(size, period, seed)

  test("names and ids are the ones that files carry for ever") {
    assert(
      Codec.all.map(codec => codec.name -> codec.id.toInt).toMap ==
        Map("none" -> 0, "lz4" -> 1, "zstd" -> 2, "snappy" -> 3, "lzf" -> 4)
    )
  }

  test("a codec is found by its name in any case, and by its id") {
    Codec.all.foreach { codec =>
      assert(Codec.byName(codec.name.toUpperCase) eq codec)
      assert(Codec.byId(codec.id).contains(codec))
    }
    assert(Codec.byId(5).isEmpty && Codec.byId(-1).isEmpty)
  }

  test("an unknown name is refused with the list of valid ones") {
    val error = intercept[Unsupported](Codec.byName("gzip"))
    assert(error.problem.contains("gzip"))
    assert(error.remedy.contains("none, lz4, zstd, snappy, lzf"))
  }

  test(
    "bytes that compress as well as any come back, and a length that no bytes can have is refused before anything is made for it"
  ) {
    Codec.all.foreach { codec =>
      val bytes = new Array[Byte](64 << 20)
      val compressed = codec.compress(bytes, 0, bytes.length)
      assert(codec.decompress(compressed, 0, compressed.length, bytes.length).sameElements(bytes))
      val few = codec.compress(bytes, 0, 1000)
      val error = intercept[Undecodable](codec.decompress(few, 0, few.length, 1 << 30))
      assert(error.getMessage.contains("cannot have made"), codec.name)
    }
  }

  Codec.all.foreach { codec =>
    test(s"${codec.name}: a range of an array comes back as it was, from a range of another") {
      forAll(contents, Gen.choose(0, 5), Gen.choose(0, 5)) { (content, before, after) =>
        val bytes = content.bytes
        val padded = Array.fill[Byte](before)(1) ++ bytes ++ Array.fill[Byte](after)(2)
        val compressed = codec.compress(padded, before, bytes.length)
        val shifted = Array.fill[Byte](after)(3) ++ compressed ++ Array.fill[Byte](before)(4)
        assert(codec.decompress(shifted, after, compressed.length, bytes.length).sameElements(bytes))
      }
    }

    test(s"${codec.name}: another raw length than the true one is refused") {
      forAll(contents, Gen.oneOf(-1, 1, -100, 100)) { (content, wrongBy) =>
        val bytes = content.bytes
        val compressed = codec.compress(bytes, 0, bytes.length)
        val wrong = math.max(bytes.length + wrongBy, 0)
        if (wrong != bytes.length) intercept[Undecodable](codec.decompress(compressed, 0, compressed.length, wrong))
      }
    }

    test(s"${codec.name}: garbage is undecodable or as long as promised, never anything else") {
      forAll(Gen.listOf(Arbitrary.arbitrary[Byte]).map(_.toArray), Gen.choose(0, 1000)) { (garbage, rawLength) =>
        Try(codec.decompress(garbage, 0, garbage.length, rawLength)) match {
          case Success(raw) => assert(raw.length == rawLength)
          case Failure(e) => assert(e.isInstanceOf[Undecodable], e)
        }
      }
    }

    test(s"${codec.name}: compressed bytes with any one bit flipped are undecodable or as long as promised") {
      val bytes = Array.tabulate(3000)(i => (i / 7 % 11).toByte)
      val compressed = codec.compress(bytes, 0, bytes.length)
      for (bit <- 0 until math.min(compressed.length, 300) * 8) {
        val flipped = FlippedBit(compressed, bit)
        Try(codec.decompress(flipped, 0, flipped.length, bytes.length)) match {
          case Success(raw) => assert(raw.length == bytes.length)
          case Failure(e) => assert(e.isInstanceOf[Undecodable], e)
        }
      }
    }
  }

  test("all codecs but none make repetitive rows smaller") {
    val rows = Array.tabulate(64 * 1024)(i => (i % 48).toByte)
    Codec.all.filterNot(_ eq Codec.Uncompressed).foreach { codec =>
      assert(codec.compress(rows, 0, rows.length).length < rows.length / 10, codec.name)
    }
  }
}

object CodecSuite {

  /** Bytes told in short: with a period they repeat, without they have no pattern. */
  private final case class Content(size: Int, period: Option[Int], seed: Long) {
    def bytes: Array[Byte] = {
      val drawn = new Array[Byte](size)
      new Random(seed).nextBytes(drawn)
      period.fold(drawn)(length => Array.tabulate(size)(i => drawn(i % length % size)))
    }
  }
}

package io.rockstate.format.wire

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.US_ASCII

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{CorruptFile, Unsupported}

class FileHeaderSuite extends AnyFunSuite {
  private val damage = Damage.ofDelta("17.delta")

  private def header(magic: String, formatVersion: Int): Array[Byte] = {
    val fields = ByteBuffer.allocate(14).put(magic.getBytes(US_ASCII)).putShort(formatVersion.toShort)
    fields.putInt(Checksum.of(fields.array, 0, 10)).array
  }

  test("a header is the kind's magic, the format version and their checksum") {
    assert(FileHeader.encode(FileKind.Delta, 1).sameElements(header("RKSTDLTA", 1)))
    assert(FileHeader.encode(FileKind.Snapshot, 2).sameElements(header("RKSTSNAP", 2)))
    assert(FileHeader.decode(FileKind.Delta, header("RKSTDLTA", 1), damage) == 1)
  }

  test("a foreign file and a file of another kind are corrupt") {
    Seq("PK345678", "RKSTSNAP").foreach { magic =>
      intercept[CorruptFile](FileHeader.decode(FileKind.Delta, header(magic, 1), damage))
    }
    intercept[CorruptFile](FileHeader.decode(FileKind.Delta, header("RKSTDLTA", 0), damage))
  }

  test("a newer format version is unsupported, and the error says what is read and to upgrade") {
    Seq(3, 65535).foreach { newer =>
      val error = intercept[Unsupported](FileHeader.decode(FileKind.Delta, header("RKSTDLTA", newer), damage))
      assert(error.problem.contains(s"format version $newer") && error.problem.contains("1 to 2"))
      assert(error.remedy.contains("Upgrade Rockstate"))
      assert(error.file.contains("17.delta") && error.version.contains(17L))
    }
  }

  test("the checksum is CRC32C") {
    // The check value that RFC 3720 and the CRC catalogue give for the nine digits.
    assert(Checksum.of("123456789".getBytes(US_ASCII), 0, 9) == 0xe3069283)
  }
}

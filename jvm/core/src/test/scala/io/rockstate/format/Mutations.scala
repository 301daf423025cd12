package io.rockstate.format

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8
import java.util.zip.CRC32C

import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import io.rockstate.format.wire.{Checksum, FileHeader, Section}

/** Alters a file's bytes, at places and in ways that a seed chooses. */
private[rockstate] final class Mutations(random: Random) {
  import Mutations._

  /** As a disk, a network or a hand that slips would: no checksum is made right again. */
  def accident(bytes: Array[Byte]): Array[Byte] = random.nextInt(8) match {
    case 0 | 1 => flipped(bytes)
    case 2 => bytes.take(random.nextInt(bytes.length + 1))
    case 3 => bytes ++ Array.fill(1 + random.nextInt(40))(random.nextInt().toByte)
    case 4 => overwritten(bytes)
    case 5 =>
      val (from, until) = range(bytes)
      bytes.take(from) ++ new Array[Byte](until - from) ++ bytes.drop(until)
    case 6 =>
      val (from, until) = range(bytes)
      bytes.take(until) ++ bytes.slice(from, until) ++ bytes.drop(until)
    case _ =>
      val (from, until) = range(bytes)
      bytes.take(from) ++ bytes.drop(until)
  }

  /** A delta in which something is altered, and all checksums are right. */
  def forgedDelta(bytes: Array[Byte]): Array[Byte] = {
    val parts = DeltaParts.of(bytes)
    random.nextInt(4) match {
      case 0 => parts.copy(header = altered(parts.header)).encode
      case 1 => parts.copy(footer = altered(parts.footer.dropRight(4)) ++ parts.footer.takeRight(4)).encode
      case _ if parts.frames.isEmpty => parts.copy(header = altered(parts.header)).encode
      case n =>
        val at = random.nextInt(parts.frames.size)
        val frame = parts.frames(at)
        val forged = if (n == 2) frame.copy(bytes = altered(frame.bytes)) else announcing(frame)
        parts.copy(frames = parts.frames.updated(at, forged)).encode
    }
  }

  /** A manifest in which something is altered, and the checksum is right. */
  def forgedManifest(bytes: Array[Byte]): Array[Byte] = {
    val body = bytes.drop(FileHeader.Bytes + Section.HeaderBytes)
    val forged = if (random.nextBoolean()) renamed(body) else altered(body)
    bytes.take(FileHeader.Bytes) ++ Section.encode(forged)
  }

  private def altered(bytes: Array[Byte]): Array[Byte] = random.nextInt(4) match {
    case 0 => flipped(bytes)
    case 1 => accident(bytes)
    case _ => overwritten(bytes)
  }

  /** Other lengths and counts than the frame has. */
  private def announcing(frame: Frame): Frame = random.nextInt(3) match {
    case 0 => frame.copy(rawLength = number())
    case 1 => frame.copy(storedLength = number())
    case _ => frame.copy(records = number())
  }

  private def flipped(bytes: Array[Byte]): Array[Byte] =
    (0 to random.nextInt(3)).foldLeft(bytes) { (bytes, _) =>
      if (bytes.isEmpty) bytes else FlippedBit(bytes, random.nextInt(bytes.length * 8))
    }

  /** With a number that is hard to bear where another one may have been. */
  private def overwritten(bytes: Array[Byte]): Array[Byte] = {
    val size = Seq(1, 2, 4, 8)(random.nextInt(4))
    if (bytes.length < size) bytes
    else {
      val changed = ByteBuffer.wrap(bytes.clone())
      val at = random.nextInt(bytes.length - size + 1)
      size match {
        case 1 => changed.put(at, number().toByte)
        case 2 => changed.putShort(at, number().toShort)
        case 4 => changed.putInt(at, number())
        case _ => changed.putLong(at, if (random.nextBoolean()) number().toLong else Long.MaxValue - random.nextInt(2))
      }
      changed.array
    }
  }

  private def number(): Int = Numbers(random.nextInt(Numbers.size)) + random.nextInt(3) - 1

  private def range(bytes: Array[Byte]): (Int, Int) = {
    val from = random.nextInt(bytes.length + 1)
    (from, math.min(from + random.nextInt(60), bytes.length))
  }

  /** With another name in place of one that ends like a file's of RocksDB. */
  private def renamed(body: Array[Byte]): Array[Byte] = {
    val text = new String(body, java.nio.charset.StandardCharsets.ISO_8859_1)
    val names = FileName.findAllMatchIn(text).map(m => (m.start, m.matched.length)).toVector
    if (names.isEmpty) body
    else {
      val (at, length) = names(random.nextInt(names.size))
      val name = HostileNames(random.nextInt(HostileNames.size)).getBytes(UTF_8)
      body.take(at - 2) ++ ByteBuffer.allocate(2).putShort(name.length.toShort).array ++ name ++ body.drop(at + length)
    }
  }
}

private object Mutations {
  private val Numbers =
    Vector(0, 1, -1, 127, 255, 256, 32767, 65535, 1 << 20, 1 << 29, 1 << 30, Int.MaxValue - 1, Int.MinValue + 1)

  private val FileName = "sst/[0-9a-f-]{36}\\.sst|[0-9]{6}\\.sst|MANIFEST-[0-9]+(?!\\n)|CURRENT".r

  private val HostileNames = Vector(
    "../../../../stolen.sst",
    "sst/../../stolen.sst",
    "sst/../1.delta",
    "/stolen.sst",
    "sst//stolen.sst",
    "sst/..",
    "sst/.sst",
    "..",
    ".",
    "",
    "sst/a\u0000.sst",
    "sst/" + "a" * 300 + ".sst",
    "../CURRENT",
    "CURRENT",
    "IDENTITY",
    "LOCK",
    "000001.log",
    "MANIFEST-../../stolen",
    "000007.sst/../../../stolen",
    "file:///stolen"
  )

  /** @param records so many are announced, as are the lengths */
  final case class Frame(rawLength: Int, storedLength: Int, records: Int, bytes: Array[Byte]) {
    def checksum: Int = Checksum.of(bytes, 0, bytes.length, rawLength, storedLength, records)
    def encode: Array[Byte] = ByteBuffer
      .allocate(16 + bytes.length)
      .putInt(rawLength)
      .putInt(storedLength)
      .putInt(records)
      .putInt(checksum)
      .put(bytes)
      .array
  }

  /** A delta taken apart. */
  final case class DeltaParts(start: Array[Byte], header: Array[Byte], frames: Vector[Frame], footer: Array[Byte]) {

    /** Put together again, with the seal of what is there now. */
    def encode: Array[Byte] = {
      val seal = new CRC32C
      Checksum.add(seal, Section.checksum(header))
      frames.foreach(frame => Checksum.add(seal, frame.checksum))
      val sealing = ByteBuffer.allocate(4).putInt(seal.getValue.toInt).array
      start ++ Section.encode(header) ++ frames.flatMap(_.encode) ++ new Array[Byte](4) ++
        Section.encode(footer.dropRight(4) ++ sealing)
    }
  }

  object DeltaParts {
    def of(bytes: Array[Byte]): DeltaParts = {
      val input = ByteBuffer.wrap(bytes)
      def take(length: Int): Array[Byte] = {
        val taken = new Array[Byte](length)
        input.get(taken)
        taken
      }
      def section(): Array[Byte] = {
        val length = input.getInt
        input.getInt
        take(length)
      }
      val start = take(FileHeader.Bytes)
      val header = section()
      val frames = ArrayBuffer.empty[Frame]
      var raw = input.getInt
      while (raw != 0) {
        val (stored, records, _) = (input.getInt, input.getInt, input.getInt)
        frames += Frame(raw, stored, records, take(stored))
        raw = input.getInt
      }
      DeltaParts(start, header, frames.toVector, section())
    }
  }
}

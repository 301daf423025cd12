package io.rockstate.format.wire

import java.util.Locale

import scala.util.control.NonFatal

import com.github.luben.zstd.Zstd
import com.ning.compress.lzf.{LZFDecoder, LZFEncoder}
import net.jpountz.lz4.LZ4Factory
import org.xerial.snappy.Snappy

import io.rockstate.errors.Unsupported

/** Compresses one frame at a time. `id` is what files say and never changes its meaning. Safe to use from several threads.
  *
  * @param mostGain no more bytes than these become one: a length that says so is wrong, and nothing is allocated for it
  */
sealed abstract class Codec(val name: String, val id: Byte, mostGain: Int) {

  /** The compressed form of a range, on its own: no other call is needed to read it. */
  def compress(bytes: Array[Byte], offset: Int, length: Int): Array[Byte]

  /** The `rawLength` bytes that were compressed; allocates no more than those. Whatever is wrong with the range is an `Undecodable`. */
  final def decompress(bytes: Array[Byte], offset: Int, length: Int, rawLength: Int): Array[Byte] = {
    if (rawLength > length.toLong * mostGain)
      throw new Undecodable(s"$name cannot have made $length bytes of $rawLength", null)
    val raw = new Array[Byte](rawLength)
    val written =
      try decompressInto(bytes, offset, length, raw)
      catch { case NonFatal(e) => throw new Undecodable(s"$name cannot decompress the $length stored bytes", e) }
    if (written != rawLength) throw new Undecodable(s"$name gave $written bytes where $rawLength were promised", null)
    raw
  }

  /** Fills `raw` and never writes past its end; returns how many bytes the range holds. */
  protected def decompressInto(bytes: Array[Byte], offset: Int, length: Int, raw: Array[Byte]): Long
}

/** Bytes that a codec cannot decompress. Its readers know the file and turn it into `CorruptFile`. */
private[format] final class Undecodable(message: String, cause: Throwable) extends RuntimeException(message, cause)

object Codec {

  object Uncompressed extends Codec("none", 0, mostGain = 1) {
    override def compress(bytes: Array[Byte], offset: Int, length: Int): Array[Byte] =
      java.util.Arrays.copyOfRange(bytes, offset, offset + length)

    override protected def decompressInto(bytes: Array[Byte], offset: Int, length: Int, raw: Array[Byte]): Long = {
      System.arraycopy(bytes, offset, raw, 0, math.min(length, raw.length))
      length.toLong
    }
  }

  object Lz4 extends Codec("lz4", 1, mostGain = 255) {
    private lazy val factory = LZ4Factory.fastestInstance()

    override def compress(bytes: Array[Byte], offset: Int, length: Int): Array[Byte] =
      factory.fastCompressor().compress(bytes, offset, length)

    // The "fast" decompressor trusts its input; only the safe one stays inside both arrays.
    override protected def decompressInto(bytes: Array[Byte], offset: Int, length: Int, raw: Array[Byte]): Long =
      factory.safeDecompressor().decompress(bytes, offset, length, raw, 0, raw.length).toLong
  }

  // A block has up to 128 KB, and at least four bytes of its own.
  object Zstd1 extends Codec("zstd", 2, mostGain = 32 << 10) {
    // Spark's default level: a task's frames are written once and read only on recovery.
    private val Level = 1

    override def compress(bytes: Array[Byte], offset: Int, length: Int): Array[Byte] = {
      val target = new Array[Byte](Zstd.compressBound(length.toLong).toInt)
      val written = Zstd.compressByteArray(target, 0, target.length, bytes, offset, length, Level)
      if (Zstd.isError(written)) throw new IllegalStateException(s"zstd: ${Zstd.getErrorName(written)}")
      java.util.Arrays.copyOf(target, written.toInt)
    }

    override protected def decompressInto(bytes: Array[Byte], offset: Int, length: Int, raw: Array[Byte]): Long = {
      val written = Zstd.decompressByteArray(raw, 0, raw.length, bytes, offset, length)
      if (Zstd.isError(written)) throw new IllegalArgumentException(Zstd.getErrorName(written))
      written
    }
  }

  object SnappyRaw extends Codec("snappy", 3, mostGain = 22) {
    override def compress(bytes: Array[Byte], offset: Int, length: Int): Array[Byte] = {
      val target = new Array[Byte](Snappy.maxCompressedLength(length))
      java.util.Arrays.copyOf(target, Snappy.compress(bytes, offset, length, target, 0))
    }

    // Snappy writes as many bytes as its own length field says, whatever the target's size.
    override protected def decompressInto(bytes: Array[Byte], offset: Int, length: Int, raw: Array[Byte]): Long = {
      val promised = Snappy.uncompressedLength(bytes, offset, length)
      if (promised == raw.length) Snappy.uncompress(bytes, offset, length, raw, 0).toLong else promised.toLong
    }
  }

  object Lzf extends Codec("lzf", 4, mostGain = 88) {
    override def compress(bytes: Array[Byte], offset: Int, length: Int): Array[Byte] =
      LZFEncoder.safeEncode(bytes, offset, length)

    // The library's default decoder uses Unsafe and trusts its input.
    override protected def decompressInto(bytes: Array[Byte], offset: Int, length: Int, raw: Array[Byte]): Long =
      LZFDecoder.safeDecode(bytes, offset, length, raw).toLong
  }

  /** Every codec, by Spark's names and in the order of their ids. */
  val all: Vector[Codec] = Vector(Uncompressed, Lz4, Zstd1, SnappyRaw, Lzf)

  /** The codec that Spark calls `name`, in any case. */
  def byName(name: String): Codec =
    all.find(_.name == name.toLowerCase(Locale.ROOT)).getOrElse {
      throw new Unsupported(
        s"There is no compression codec '$name'",
        s"Set the state store's compression codec to one of ${all.map(_.name).mkString(", ")}."
      )
    }

  /** The codec of a file's codec byte, if this release knows it. */
  def byId(id: Byte): Option[Codec] = all.find(_.id == id)
}

package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.RocksDBKeyStateEncoder
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.KeyCodec.FamilyBytes
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.KeyRanges
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform

/** Turns key rows into engine keys and back: the column family's id (two bytes, big-endian), then the key as Spark's own encoder writes
  * it, so that Spark's prefix, range and timestamp order hold. Decoded rows are fresh and stay valid. Safe for several threads.
  */
private[rockstate] sealed abstract class KeyCodec(familyId: Int) {
  def encode(key: UnsafeRow): Array[Byte]
  def decode(engineKey: Array[Byte]): UnsafeRow

  /** The bytes that every engine key starting with these leftmost columns starts with. */
  def encodePrefix(prefix: UnsafeRow): Array[Byte]

  /** Whether the order of keys means something, so that a scan of all has to keep to it. */
  def isOrdered: Boolean

  def supportsPrefixScan: Boolean
  def supportsRangeScan: Boolean
  def supportsDeleteRange: Boolean

  /** All keys of the column family. */
  final def all: KeyRange = KeyRange.ofPrefix(withFamily(FamilyBytes))

  /** A new array that starts with the family's id. */
  protected final def withFamily(length: Int): Array[Byte] = {
    val bytes = new Array[Byte](length)
    bytes(0) = (familyId >>> 8).toByte
    bytes(1) = familyId.toByte
    bytes
  }
}

private[rockstate] object KeyCodec {
  val FamilyBytes = 2
}

/** The bytes of Spark's `NoPrefixKeyStateEncoder` over UnsafeRows (one version byte, then the row), without its copies and shared row. */
private[rockstate] final class PlainKeyCodec(familyId: Int, fields: Int) extends KeyCodec(familyId) {
  import UnsafeRowBytes._

  override def encode(key: UnsafeRow): Array[Byte] = {
    val bytes = withFamily(FamilyBytes + VersionBytes + key.getSizeInBytes)
    write(key, bytes, FamilyBytes)
    bytes
  }

  override def decode(engineKey: Array[Byte]): UnsafeRow = read(engineKey, FamilyBytes, engineKey.length, fields)

  override def encodePrefix(prefix: UnsafeRow): Array[Byte] =
    throw new IllegalStateException("Prefix scan requires setting prefix key!")

  override def isOrdered: Boolean = false
  override def supportsPrefixScan: Boolean = false
  override def supportsRangeScan: Boolean = false
  override def supportsDeleteRange: Boolean = false
}

/** Any of Spark's key encoders. They share projections and rows between calls, hence the lock and the copy of each decoded row.
  *
  * @param lock guards the encoder, and all else that shares buffers with it
  */
private[rockstate] class SparkKeyCodec(familyId: Int, encoder: RocksDBKeyStateEncoder, lock: AnyRef)
    extends KeyCodec(familyId) {

  /** For an encoder that shares nothing. */
  def this(familyId: Int, encoder: RocksDBKeyStateEncoder) = this(familyId, encoder, encoder)

  override def encode(key: UnsafeRow): Array[Byte] = prepend(lock.synchronized(encoder.encodeKey(key)))

  override def decode(engineKey: Array[Byte]): UnsafeRow = {
    val key = util.Arrays.copyOfRange(engineKey, FamilyBytes, engineKey.length)
    lock.synchronized(encoder.decodeKey(key).copy())
  }

  override def encodePrefix(prefix: UnsafeRow): Array[Byte] = prepend(
    lock.synchronized(encoder.encodePrefixKey(prefix))
  )

  override def isOrdered: Boolean = true
  override def supportsPrefixScan: Boolean = encoder.supportPrefixKeyScan
  override def supportsRangeScan: Boolean = KeyRanges.canBeScanned(encoder)
  override def supportsDeleteRange: Boolean = KeyRanges.canBeDeleted(encoder)

  private def prepend(key: Array[Byte]): Array[Byte] = {
    val bytes = withFamily(FamilyBytes + key.length)
    Platform.copyMemory(key, Platform.BYTE_ARRAY_OFFSET, bytes, Platform.BYTE_ARRAY_OFFSET + FamilyBytes, key.length)
    bytes
  }
}

/** The bytes of Spark's `PrefixKeyScanStateEncoder` over UnsafeRows: how many the leftmost columns take (an integer in the machine's order),
  * these columns' row, the other columns' row, each after its version. Keys are encoded by Spark's, prefixes and reads take less than that.
  */
private[rockstate] final class PrefixKeyCodec(
    familyId: Int,
    encoder: RocksDBKeyStateEncoder,
    schema: StructType,
    prefixFields: Int
) extends SparkKeyCodec(familyId, encoder) {
  import PrefixKeyCodec._
  import UnsafeRowBytes._

  private val joiner = new RowJoiner(schema, prefixFields)

  override def decode(engineKey: Array[Byte]): UnsafeRow = {
    val prefixEnd = PrefixStart + Platform.getInt(engineKey, SizeOffset)
    val (prefix, others) = (PrefixStart + VersionBytes, prefixEnd + VersionBytes)
    joiner.join(engineKey, prefix, prefixEnd, engineKey, others, engineKey.length)
  }

  override def encodePrefix(prefix: UnsafeRow): Array[Byte] = {
    val bytes = withFamily(PrefixStart + VersionBytes + prefix.getSizeInBytes)
    Platform.putInt(bytes, SizeOffset, VersionBytes + prefix.getSizeInBytes)
    write(prefix, bytes, PrefixStart)
    bytes
  }
}

private object PrefixKeyCodec {
  val SizeOffset: Int = Platform.BYTE_ARRAY_OFFSET + FamilyBytes
  val PrefixStart: Int = FamilyBytes + Integer.BYTES
}

package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.nio.ByteBuffer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{RangeKeyScanStateEncoderSpec, RocksDBKeyStateEncoder}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.bitset.BitSetMethods

/** The bytes of Spark's `RangeKeyScanStateEncoder` over UnsafeRows where the leftmost columns order keys, whole numbers all of them, and
  * others follow: as timers are. A key is laid out as a [[PrefixKeyCodec]]'s, but that a number is binary in its row: a byte that tells its
  * sign or that it is null, and its own bytes, the highest first. Keys are encoded by Spark's; reads take less than that.
  */
private[rockstate] final class RangeKeyCodec(
    familyId: Int,
    encoder: RocksDBKeyStateEncoder,
    schema: StructType,
    orderingFields: Int
) extends SparkKeyCodec(familyId, encoder) {
  import PrefixKeyCodec._
  import RangeKeyCodec._
  import UnsafeRowBytes._

  private val joiner = new RowJoiner(schema, orderingFields)
  private val sizes = schema.take(orderingFields).map(_.dataType.defaultSize).toArray
  private val bits = UnsafeRow.calculateBitSetWidthInBytes(orderingFields)
  private val numbersStart = PrefixStart + VersionBytes + bits + UnsafeRow.WORD_SIZE * orderingFields
  private val numbersEnd = numbersStart + sizes.map(roomFor).sum

  override def decode(engineKey: Array[Byte]): UnsafeRow = {
    val end = PrefixStart + Platform.getInt(engineKey, SizeOffset)
    if (end != numbersEnd) throw joiner.notOfThisSchema(engineKey.length)
    val row = ordering(engineKey)
    joiner.join(row, 0, row.length, engineKey, end + VersionBytes, engineKey.length)
  }

  /** The row of the columns that order. */
  private def ordering(engineKey: Array[Byte]): Array[Byte] = {
    val key = ByteBuffer.wrap(engineKey)
    val row = new Array[Byte](bits + UnsafeRow.WORD_SIZE * orderingFields)
    var at = numbersStart
    var field = 0
    while (field < orderingFields) {
      if (key.get(at) == NullMarker) BitSetMethods.set(row, Platform.BYTE_ARRAY_OFFSET, field)
      else putNumber(key, at + 1, sizes(field), row, Platform.BYTE_ARRAY_OFFSET + bits + UnsafeRow.WORD_SIZE * field)
      at += roomFor(sizes(field))
      field += 1
    }
    row
  }

  private def putNumber(key: ByteBuffer, at: Int, size: Int, row: Array[Byte], offset: Int): Unit = size match {
    case java.lang.Long.BYTES => Platform.putLong(row, offset, key.getLong(at))
    case Integer.BYTES => Platform.putInt(row, offset, key.getInt(at))
    case java.lang.Short.BYTES => Platform.putShort(row, offset, key.getShort(at))
    case java.lang.Byte.BYTES => Platform.putByte(row, offset, key.get(at))
  }
}

private[rockstate] object RangeKeyCodec {
  private val NullMarker: Byte = 2

  /** Whether it is for such keys. */
  def isFor(spec: RangeKeyScanStateEncoderSpec): Boolean = {
    val ordering = spec.orderingOrdinals
    ordering == ordering.indices && ordering.size < spec.keySchema.length &&
    ordering.forall(i => Set[DataType](LongType, IntegerType, ShortType, ByteType)(spec.keySchema(i).dataType))
  }

  /** What the binary value of a number of so many bytes takes in its row. */
  private def roomFor(size: Int): Int = (1 + size + UnsafeRow.WORD_SIZE - 1) / UnsafeRow.WORD_SIZE * UnsafeRow.WORD_SIZE
}

package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.RocksDBValueStateEncoder

/** Turns value rows into bytes and back. Decoded rows are fresh and stay valid. Safe for several threads. */
private[rockstate] sealed trait ValueCodec {
  def encode(value: UnsafeRow): Array[Byte]

  /** The row whose encoding fills `bytes` between these indexes. */
  def decode(bytes: Array[Byte], from: Int, until: Int): UnsafeRow
}

/** The bytes of Spark's `SingleValueStateEncoder` over UnsafeRows, without its copies and shared row. */
private[rockstate] final class PlainValueCodec(fields: Int) extends ValueCodec {
  import UnsafeRowBytes._

  override def encode(value: UnsafeRow): Array[Byte] = {
    val bytes = new Array[Byte](VersionBytes + value.getSizeInBytes)
    write(value, bytes, 0)
    bytes
  }

  override def decode(bytes: Array[Byte], from: Int, until: Int): UnsafeRow = read(bytes, from, until, fields)
}

/** Any of Spark's value encoders. They share projections and rows between calls, hence the lock and the copy of each decoded row.
  *
  * @param lock guards the encoder, and all else that shares buffers with it
  */
private[rockstate] final class SparkValueCodec(encoder: RocksDBValueStateEncoder, lock: AnyRef) extends ValueCodec {

  override def encode(value: UnsafeRow): Array[Byte] = lock.synchronized(encoder.encodeValue(value))

  override def decode(bytes: Array[Byte], from: Int, until: Int): UnsafeRow = {
    val own = if (from == 0 && until == bytes.length) bytes else util.Arrays.copyOfRange(bytes, from, until)
    lock.synchronized(encoder.decodeValue(own).copy())
  }
}

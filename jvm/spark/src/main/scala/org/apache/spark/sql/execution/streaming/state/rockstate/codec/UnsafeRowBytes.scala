package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider
import org.apache.spark.unsafe.Platform

/** An UnsafeRow as Spark stores it: one byte of encoding version, then the row's own bytes. */
private[rockstate] object UnsafeRowBytes {
  val VersionBytes: Int = RocksDBStateStoreProvider.STATE_ENCODING_NUM_VERSION_BYTES

  /** Writes version and row into `bytes` from index `at` on. */
  def write(row: UnsafeRow, bytes: Array[Byte], at: Int): Unit = {
    bytes(at) = RocksDBStateStoreProvider.STATE_ENCODING_VERSION
    row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET + at + VersionBytes)
  }

  /** A new row that points into `bytes`, from its version byte at index `from` up to `until`. */
  def read(bytes: Array[Byte], from: Int, until: Int, fields: Int): UnsafeRow = {
    val row = new UnsafeRow(fields)
    val start = from + VersionBytes
    row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET + start, until - start)
    row
  }
}

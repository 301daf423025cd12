package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import scala.language.implicitConversions

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.StateStore.DEFAULT_COL_FAMILY_NAME
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{ReadStoreShim, StoreShim}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Keys of (string, int), or of (long, string) where their order counts, and values of an int. */
object TestRows {
  val keySchema: StructType = new StructType().add("key1", StringType).add("key2", IntegerType)

  val keySchemaWithRangeScan: StructType =
    new StructType().add("key1", LongType, nullable = false).add("key2", StringType, nullable = false)
  val valueSchema: StructType = new StructType().add("value", IntegerType)

  // Stores of ours have the calls that Spark brought later.
  implicit def withLaterCalls(store: ReadStateStore): ReadStoreShim = store.asInstanceOf[ReadStoreShim]
  implicit def withLaterWrites(store: StateStore): StoreShim = store.asInstanceOf[StoreShim]

  def dataToKeyRow(a: String, b: Int): UnsafeRow = row(text(a), b)(StringType, IntegerType)
  def dataToPrefixKeyRow(a: String): UnsafeRow = row(text(a))(StringType)
  def dataToKeyRowWithRangeScan(time: Long, b: String): UnsafeRow = row(time, text(b))(LongType, StringType)
  def dataToPrefixKeyRowWithRangeScan(time: Long): UnsafeRow = row(time)(LongType)
  def dataToValueRow(value: Int): UnsafeRow = row(value)(IntegerType)

  def keyRowToData(key: UnsafeRow): (String, Int) = (key.getUTF8String(0).toString, key.getInt(1))
  def valueRowToData(value: UnsafeRow): Int = value.getInt(0)
  def rowPairToDataPair(pair: UnsafeRowPair): ((String, Int), Int) =
    (keyRowToData(pair.key), valueRowToData(pair.value))
  def rowPairsToDataSet(pairs: Iterator[UnsafeRowPair]): Set[((String, Int), Int)] = pairs.map(rowPairToDataPair).toSet

  def put(store: StateStore, a: String, b: Int, value: Int, family: String = DEFAULT_COL_FAMILY_NAME): Unit =
    store.put(dataToKeyRow(a, b), dataToValueRow(value), family)

  def get(store: ReadStateStore, a: String, b: Int, family: String = DEFAULT_COL_FAMILY_NAME): Option[Int] =
    Option(store.get(dataToKeyRow(a, b), family)).map(valueRowToData)

  /** Removes the keys that fit. */
  def remove(store: StateStore, fits: ((String, Int)) => Boolean): Unit =
    store.iterator().foreach(pair => if (fits(keyRowToData(pair.key))) store.remove(pair.key))

  private def text(string: String): UTF8String = UTF8String.fromString(string)

  private def row(values: Any*)(types: DataType*): UnsafeRow =
    UnsafeProjection.create(types.toArray).apply(InternalRow.fromSeq(values)).copy()
}

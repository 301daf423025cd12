package org.apache.spark.sql.execution.streaming.state.rockstate.store

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{FamilySchema, KeyRange, RowCodec}
import org.apache.spark.sql.execution.streaming.state.rockstate.rows.{RowPairs, ValuePairs}
import org.apache.spark.sql.execution.streaming.state.rockstate.session.{StoreContext, StoreSession}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.ReadStoreShim
import org.apache.spark.sql.types.StructType

/** The read operations that read stores and write stores have in common. Returned rows are fresh: they stay valid however long the caller
  * keeps them. Safe for several threads; an iterator belongs to one.
  */
private[rockstate] abstract class SessionReads(context: StoreContext, session: StoreSession) extends ReadStoreShim {
  protected val families = context.familiesOf(session)
  private val validation = context.validationFrom(session.base.version)

  override def id: StateStoreId = context.id

  override def version: Long = session.base.version

  override def get(key: UnsafeRow, colFamilyName: String): UnsafeRow = {
    val transaction = session.running("get")
    requireKey(key)
    val codec = families.codec("get", colFamilyName)
    val engineKey = codec.keys.encode(key)
    val value = codec.decodeValue(engineKey, transaction.get(engineKey))
    validation.check(key, value)
    value
  }

  override def multiGet(keys: Array[UnsafeRow], colFamilyName: String): Iterator[UnsafeRow] = {
    session.running("multiGet")
    keys.foreach(requireKey)
    families.codec("multiGet", colFamilyName)
    keys.map(get(_, colFamilyName)).iterator // at once: the caller may use the keys' rows again, or write
  }

  override def keyExists(key: UnsafeRow, colFamilyName: String): Boolean = {
    val transaction = session.running("keyExists")
    requireKey(key)
    transaction.contains(families.codec("keyExists", colFamilyName).keys.encode(key))
  }

  override def iterator(colFamilyName: String): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.codec("iterator", colFamilyName)
    val all = codec.keys.all
    val transaction = session.running("iterate")
    val rows =
      if (codec.keys.isOrdered) transaction.scan(all.lower, all.upper)
      else transaction.scanUnordered(all.lower, all.upper)
    closing(new RowPairs(rows, codec, validation))
  }

  override def prefixScan(prefixKey: UnsafeRow, colFamilyName: String): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.codec("prefixScan", colFamilyName)
    scan("prefixScan", codec, prefixRange(codec, prefixKey))
  }

  override def rangeScan(
      startKey: Option[UnsafeRow],
      endKey: Option[UnsafeRow],
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.codec("rangeScan", colFamilyName)
    scan("rangeScan", codec, keyRange(codec, startKey, endKey))
  }

  override def valuesIterator(key: UnsafeRow, colFamilyName: String): Iterator[UnsafeRow] = {
    val transaction = session.running("valuesIterator")
    requireKey(key)
    val codec = families.multiValued("valuesIterator", colFamilyName)
    val engineKey = codec.keys.encode(key)
    codec.decodeValues(engineKey, transaction.get(engineKey))
  }

  override def iteratorWithMultiValues(colFamilyName: String): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.multiValued("iteratorWithMultiValues", colFamilyName)
    scanValues("iteratorWithMultiValues", codec, codec.keys.all)
  }

  override def prefixScanWithMultiValues(
      prefixKey: UnsafeRow,
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.multiValued("prefixScanWithMultiValues", colFamilyName)
    scanValues("prefixScanWithMultiValues", codec, prefixRange(codec, prefixKey))
  }

  override def rangeScanWithMultiValues(
      startKey: Option[UnsafeRow],
      endKey: Option[UnsafeRow],
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.multiValued("rangeScanWithMultiValues", colFamilyName)
    scanValues("rangeScanWithMultiValues", codec, keyRange(codec, startKey, endKey))
  }

  override def allColumnFamilyNames: Set[String] = families.names

  /** A store that is only read forgets the family again. */
  override def registerColFamily(
      colFamilyName: String,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      isInternal: Boolean
  ): Unit =
    families.create(colFamilyName, FamilySchema(keyStateEncoderSpec, valueSchema, useMultipleValuesPerKey), isInternal)

  protected final def requireKey(key: UnsafeRow): Unit =
    if (key == null) throw new IllegalStateException("Key cannot be null")

  private def prefixRange(codec: RowCodec, prefixKey: UnsafeRow): KeyRange = {
    require(codec.keys.supportsPrefixScan, "Prefix scan requires setting prefix key!")
    KeyRange.ofPrefix(codec.keys.encodePrefix(prefixKey))
  }

  private def keyRange(codec: RowCodec, startKey: Option[UnsafeRow], endKey: Option[UnsafeRow]): KeyRange = {
    require(codec.keys.supportsRangeScan, "Range scan requires an encoder that supports range scanning!")
    val all = codec.keys.all
    KeyRange(startKey.fold(all.lower)(codec.keys.encode), endKey.fold(all.upper)(codec.keys.encode))
  }

  private def scan(operation: String, codec: RowCodec, range: KeyRange): StateStoreIterator[UnsafeRowPair] =
    closing(new RowPairs(session.running(operation).scan(range.lower, range.upper), codec, validation))

  private def scanValues(operation: String, codec: RowCodec, range: KeyRange): StateStoreIterator[UnsafeRowPair] =
    closing(new ValuePairs(session.running(operation).scan(range.lower, range.upper), codec, validation))

  private def closing(rows: Iterator[UnsafeRowPair] with AutoCloseable): StateStoreIterator[UnsafeRowPair] =
    new StateStoreIterator(rows, () => rows.close())
}

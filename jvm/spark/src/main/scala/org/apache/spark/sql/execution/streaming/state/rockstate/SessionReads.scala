package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreId, StateStoreIterator, UnsafeRowPair}
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{KeyRange, RowCodec}

/** The read operations that read stores and write stores have in common. Returned rows are fresh: they stay valid however long the caller
  * keeps them. Safe for several threads; an iterator belongs to one.
  */
private[rockstate] abstract class SessionReads(context: StoreContext, session: StoreSession) extends ReadStoreShim {
  protected val families = new SessionFamilies(session, context.codecs, context.useColumnFamilies)
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
    keys.iterator.map(get(_, colFamilyName))
  }

  override def keyExists(key: UnsafeRow, colFamilyName: String): Boolean = {
    val transaction = session.running("keyExists")
    requireKey(key)
    transaction.contains(families.codec("keyExists", colFamilyName).keys.encode(key))
  }

  override def iterator(colFamilyName: String): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.codec("iterator", colFamilyName)
    scan("iterate", codec, codec.keys.all)
  }

  override def prefixScan(prefixKey: UnsafeRow, colFamilyName: String): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.codec("prefixScan", colFamilyName)
    require(codec.keys.supportsPrefixScan, "Prefix scan requires setting prefix key!")
    scan("prefixScan", codec, KeyRange.ofPrefix(codec.keys.encodePrefix(prefixKey)))
  }

  override def rangeScan(
      startKey: Option[UnsafeRow],
      endKey: Option[UnsafeRow],
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] = {
    val codec = families.codec("rangeScan", colFamilyName)
    require(codec.keys.supportsRangeScan, "Range scan requires an encoder that supports range scanning!")
    val all = codec.keys.all
    val range = KeyRange(startKey.fold(all.lower)(codec.keys.encode), endKey.fold(all.upper)(codec.keys.encode))
    scan("rangeScan", codec, range)
  }

  override def valuesIterator(key: UnsafeRow, colFamilyName: String): Iterator[UnsafeRow] =
    throw MultipleValues.unsupported("valuesIterator")

  override def prefixScanWithMultiValues(
      prefixKey: UnsafeRow,
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] =
    throw MultipleValues.unsupported("prefixScanWithMultiValues")

  override def rangeScanWithMultiValues(
      startKey: Option[UnsafeRow],
      endKey: Option[UnsafeRow],
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] = throw MultipleValues.unsupported("rangeScanWithMultiValues")

  override def iteratorWithMultiValues(colFamilyName: String): StateStoreIterator[UnsafeRowPair] =
    throw MultipleValues.unsupported("iteratorWithMultiValues")

  override def allColumnFamilyNames: Set[String] = families.names

  protected final def requireKey(key: UnsafeRow): Unit =
    if (key == null) throw new IllegalStateException("Key cannot be null")

  private def scan(operation: String, codec: RowCodec, range: KeyRange): StateStoreIterator[UnsafeRowPair] = {
    val rows = new RowPairs(session.running(operation).scan(range.lower, range.upper), codec, validation)
    new StateStoreIterator(rows, () => rows.close())
  }
}

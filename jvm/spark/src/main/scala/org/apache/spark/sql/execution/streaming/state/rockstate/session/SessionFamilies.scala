package org.apache.spark.sql.execution.streaming.state.rockstate.session

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.execution.streaming.state.{StateStore, StateStoreErrors}
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{FamilyCodecs, FamilySchema, RowCodec}

import io.rockstate.versions.ColumnFamily

/** The column families one session works with, by name, under the rules and errors of Spark's RocksDB store. */
private[rockstate] final class SessionFamilies(
    session: StoreSession,
    codecs: FamilyCodecs,
    useColumnFamilies: Boolean
) {
  private val default: RowCodec = codecs.codec(StateStore.DEFAULT_COL_FAMILY_NAME, ColumnFamily.DefaultId).get
  private val others = new ConcurrentHashMap[String, RowCodec]()

  /** The codec for an operation on a family. */
  def codec(operation: String, name: String): RowCodec =
    if (name == StateStore.DEFAULT_COL_FAMILY_NAME) default
    else {
      val known = others.get(name)
      if (known != null) known else lookUp(operation, name)
    }

  /** The codec for an operation that takes or returns several values of a key. */
  def multiValued(operation: String, name: String): RowCodec = {
    val found = codec(operation, name)
    if (!found.isMultiValued) {
      throw new IllegalStateException(
        s"$operation needs a column family with multiple values per key, which $name is not"
      )
    }
    found
  }

  def names: Set[String] = session.transaction.columnFamilies.map(_.name).toSet

  def create(name: String, schema: FamilySchema, isInternal: Boolean): Unit = {
    verifyMayChange("create_col_family", name, isInternal)
    if (!isInternal && name.head == '$') throw StateStoreErrors.cannotCreateColumnFamilyWithReservedChars(name)
    session.running("create a column family").createColumnFamily(name, isInternal)
    codecs.declare(name, schema)
  }

  def remove(name: String): Boolean = {
    verifyMayChange("remove_col_family", name, isInternal = false)
    val existed = session.running("remove a column family").removeColumnFamily(name)
    if (existed) {
      others.remove(name)
      codecs.forget(name)
    }
    existed
  }

  private def lookUp(operation: String, name: String): RowCodec = {
    verifyUsable(operation)
    if (!isWellFormed(name)) throw StateStoreErrors.cannotUseColumnFamilyWithInvalidName(operation, name)
    val found = session.transaction.columnFamilies.find(_.name == name).flatMap(family => codecs.codec(name, family.id))
    val codec = found.getOrElse(throw StateStoreErrors.unsupportedOperationOnMissingColumnFamily(operation, name))
    others.put(name, codec)
    codec
  }

  private def verifyMayChange(operation: String, name: String, isInternal: Boolean): Unit = {
    verifyUsable(operation)
    val isReserved = name == StateStore.DEFAULT_COL_FAMILY_NAME && !isInternal
    if (!isWellFormed(name) || isReserved) throw StateStoreErrors.cannotUseColumnFamilyWithInvalidName(operation, name)
  }

  private def verifyUsable(operation: String): Unit =
    if (!useColumnFamilies) {
      throw StateStoreErrors.unsupportedOperationException(
        operation,
        "multiple column families is disabled in RockStateStoreProvider"
      )
    }

  private def isWellFormed(name: String): Boolean = name.nonEmpty && name.trim == name
}

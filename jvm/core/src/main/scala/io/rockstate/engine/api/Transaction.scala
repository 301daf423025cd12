package io.rockstate.engine.api

import io.rockstate.versions.{ColumnFamily, StateVersion}

/** One batch's isolated view of a store: it sees `base` and its own writes, whatever happens to the store meanwhile.
  *
  * Engine keys start with the column family's id (two bytes, big-endian). Arrays passed in are copied before the call returns; arrays
  * returned are the caller's to keep. Safe to use from several threads at once (Python operators read from one and write from another).
  */
trait Transaction {

  /** The version this transaction reads from. */
  def base: StateVersion

  /** The value of `key`, or null. Allowed until commit or abort. */
  def get(key: Array[Byte]): Array[Byte]

  /** Whether `key` has a value. Allowed until commit or abort. */
  def contains(key: Array[Byte]): Boolean

  def put(key: Array[Byte], value: Array[Byte]): Unit

  /** Appends to the key's value, which it makes if there is none. */
  def merge(key: Array[Byte], operand: Array[Byte]): Unit

  def remove(key: Array[Byte]): Unit

  /** All pairs with `lower <= key < upper` as they stand now; later writes of this transaction do not show. A null `upper` is no bound. */
  def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator

  /** The same pairs in no order, for those who do not need one. */
  def scanUnordered(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = scan(lower, upper)

  /** The id of the column family with this name; a new one if there is none. */
  def createColumnFamily(name: String, isInternal: Boolean): Int

  /** Removes a column family with all its rows; false if there is none of that name. */
  def removeColumnFamily(name: String): Boolean

  /** Makes the writes durable as the version after `base` and returns it. If it throws, nothing was committed and only `abort` works. */
  def commit(): StateVersion

  /** Drops the writes. Does nothing on an aborted transaction; refused with `Misuse` on a committed one. */
  def abort(): Unit

  def hasCommitted: Boolean

  /** The column families with their exact row counts: of the new version after commit, of `base` before. */
  def columnFamilies: Vector[ColumnFamily]

  /** What this transaction did and cost; complete after commit or abort. */
  def metrics: TransactionMetrics
}

package org.apache.spark.sql.execution.streaming.state.rockstate.session

import org.apache.spark.sql.execution.streaming.state.rockstate.errors.InStore

import io.rockstate.engine.api.{KeyValueIterator, Transaction, TransactionMetrics}
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** The transaction, with errors that name its store. */
private[session] final class TransactionInStore(transaction: Transaction, inStore: InStore) extends Transaction {
  override def base: StateVersion = transaction.base

  override def get(key: Array[Byte]): Array[Byte] =
    try transaction.get(key)
    catch inStore.tell

  override def contains(key: Array[Byte]): Boolean =
    try transaction.contains(key)
    catch inStore.tell

  override def put(key: Array[Byte], value: Array[Byte]): Unit =
    try transaction.put(key, value)
    catch inStore.tell

  override def merge(key: Array[Byte], operand: Array[Byte]): Unit =
    try transaction.merge(key, operand)
    catch inStore.tell

  override def remove(key: Array[Byte]): Unit =
    try transaction.remove(key)
    catch inStore.tell

  override def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator =
    try new ScanInStore(transaction.scan(lower, upper), inStore)
    catch inStore.tell

  override def scanUnordered(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator =
    try new ScanInStore(transaction.scanUnordered(lower, upper), inStore)
    catch inStore.tell

  override def createColumnFamily(name: String, isInternal: Boolean): Int =
    try transaction.createColumnFamily(name, isInternal)
    catch inStore.tell

  override def removeColumnFamily(name: String): Boolean =
    try transaction.removeColumnFamily(name)
    catch inStore.tell

  override def commit(): StateVersion =
    try transaction.commit()
    catch inStore.tell

  override def abort(): Unit =
    try transaction.abort()
    catch inStore.tell

  override def hasCommitted: Boolean = transaction.hasCommitted
  override def columnFamilies: Vector[ColumnFamily] = transaction.columnFamilies
  override def metrics: TransactionMetrics = transaction.metrics
}

private final class ScanInStore(scan: KeyValueIterator, inStore: InStore) extends KeyValueIterator {
  override def next(): Boolean =
    try scan.next()
    catch inStore.tell

  override def key: Array[Byte] =
    try scan.key
    catch inStore.tell

  override def value: Array[Byte] =
    try scan.value
    catch inStore.tell

  override def close(): Unit = scan.close()
}

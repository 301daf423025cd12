package io.rockstate.testkit

import java.nio.charset.StandardCharsets.UTF_8

import io.rockstate.engine.api.{KeyValueIterator, Transaction}
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** A store as a contract suite drives it: the engine, the model, or another that claims to keep the contract. */
trait StoreUnderTest extends AutoCloseable {
  def begin(version: StateVersion): Transaction
  def beginEmpty(version: StateVersion): Transaction

  /** Snapshots and clean-up, as much as is due; nothing for a store that has none. */
  def maintain(): Unit

  /** Goes on as another process would, with an empty local disk. Transactions of before are lost. */
  def restart(): Unit
}

/** Rows as text, for suites: keys of the default column family unless said otherwise. */
object Rows {
  def key(text: String, family: Int = ColumnFamily.DefaultId): Array[Byte] =
    Array((family >>> 8).toByte, family.toByte) ++ text.getBytes(UTF_8)

  def bytes(text: String): Array[Byte] = text.getBytes(UTF_8)

  def text(value: Array[Byte]): Option[String] = Option(value).map(new String(_, UTF_8))

  implicit final class TextTransaction(transaction: Transaction) {
    def putRow(name: String, value: String): Unit = transaction.put(key(name), bytes(value))
    def mergeRow(name: String, operand: String): Unit = transaction.merge(key(name), bytes(operand))
    def removeRow(name: String): Unit = transaction.remove(key(name))
    def row(name: String): Option[String] = text(transaction.get(key(name)))

    /** All rows of the default column family, in order. */
    def rows: Vector[(String, String)] = rowsIn(key(""), key("", ColumnFamily.DefaultId + 1))
    def rowsIn(lower: Array[Byte], upper: Array[Byte]): Vector[(String, String)] =
      drained(transaction.scan(lower, upper))

    /** The rows whose names start with `prefix`. */
    def rowsWith(prefix: String): Vector[(String, String)] =
      drained(transaction.scan(key(prefix), key(prefix) :+ 0xff.toByte))

    def rowCount: Long = transaction.columnFamilies.find(_.name == ColumnFamily.DefaultName).map(_.rows).get
  }

  /** Commits one version with these rows put, and returns it. */
  def commit(store: StoreUnderTest, base: StateVersion, rows: (String, String)*): StateVersion =
    commit(store, base, rows: Iterable[(String, String)])

  def commit(store: StoreUnderTest, base: StateVersion, rows: Iterable[(String, String)]): StateVersion = {
    val transaction = store.begin(base)
    rows.foreach { case (name, value) => transaction.putRow(name, value) }
    transaction.commit()
  }

  def rowsAt(store: StoreUnderTest, version: StateVersion): Vector[(String, String)] = {
    val transaction = store.begin(version)
    try transaction.rows
    finally transaction.abort()
  }

  /** The rows of all column families, by the families' names. */
  def content(transaction: Transaction): Map[String, Vector[(String, String)]] =
    transaction.columnFamilies.map(f => f.name -> drained(transaction.scan(f.firstKey, f.endKey))).toMap

  /** How many rows the families say they have. Ids may differ from store to store: they only have to be its own. */
  def counts(transaction: Transaction): Set[(String, Long)] =
    transaction.columnFamilies.map(family => family.name -> family.rows).toSet

  /** What is left of a scan; closes it. */
  def drained(scan: KeyValueIterator): Vector[(String, String)] =
    try
      Iterator
        .continually(scan)
        .takeWhile(_.next())
        .map(s => new String(s.key.drop(2), UTF_8) -> new String(s.value, UTF_8))
        .toVector
    finally scan.close()
}

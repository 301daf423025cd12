package org.apache.spark.sql.execution.streaming.state.rockstate.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.RowCodec

import io.rockstate.engine.api.KeyValueIterator

/** A scan's pairs as rows. Pairs and rows are fresh and stay valid after `next`; the scan is closed when it is drained. */
private[rockstate] final class RowPairs(scan: KeyValueIterator, codec: RowCodec, validation: RowValidation)
    extends Iterator[UnsafeRowPair]
    with AutoCloseable {
  private var isAhead = false
  private var isDone = false

  override def hasNext: Boolean = {
    if (!isAhead && !isDone) {
      if (scan.next()) isAhead = true
      else close()
    }
    isAhead
  }

  override def next(): UnsafeRowPair = {
    if (!hasNext) throw new NoSuchElementException("The iterator is drained")
    isAhead = false
    val key = codec.keys.decode(scan.key)
    val value = codec.decodeValue(scan.key, scan.value)
    validation.check(key, value)
    new UnsafeRowPair(key, value)
  }

  override def close(): Unit = {
    isDone = true
    isAhead = false
    scan.close()
  }
}

/** A scan of a multi-valued column family, one pair for each of a key's values. As `RowPairs` otherwise. */
private[rockstate] final class ValuePairs(scan: KeyValueIterator, codec: RowCodec, validation: RowValidation)
    extends Iterator[UnsafeRowPair]
    with AutoCloseable {
  private var key: UnsafeRow = _
  private var values: Iterator[UnsafeRow] = Iterator.empty
  private var isDone = false

  override def hasNext: Boolean = {
    while (!values.hasNext && !isDone)
      if (scan.next()) {
        key = codec.keys.decode(scan.key)
        values = codec.decodeValues(scan.key, scan.value)
      } else close()
    values.hasNext
  }

  override def next(): UnsafeRowPair = {
    if (!hasNext) throw new NoSuchElementException("The iterator is drained")
    val value = values.next()
    validation.check(key, value)
    new UnsafeRowPair(key, value)
  }

  override def close(): Unit = {
    isDone = true
    values = Iterator.empty
    scan.close()
  }
}

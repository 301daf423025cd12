package io.rockstate.engine

import java.util.Arrays

import io.rockstate.errors.Misuse

import org.rocksdb.RocksIterator

/** The base version's rows and a transaction's own writes as one ordered sequence, as they stood when the scan began.
  *
  * `transaction` guards the pending writes; `onClose` takes the native iterator back for the next scan.
  */
private[engine] final class Scan(
    transaction: AnyRef,
    pending: PendingWrites,
    view: View,
    base: RocksIterator,
    lower: Array[Byte],
    upper: Array[Byte],
    onRow: Array[Byte] => Unit,
    onClose: RocksIterator => Unit
) extends KeyValueIterator {
  private val mark = pending.mark
  private val written = if (mark > 0) pending.keysFrom(lower) else null
  private var writtenKey: Array[Byte] = _
  private var writtenRecord = -1
  private val committed = new CommittedRows(view, base, lower, upper)
  private var currentKey: Array[Byte] = _
  private var currentValue: Array[Byte] = _
  private var state: Scan.State = Scan.Open

  readWrittenKey()

  override def next(): Boolean = transaction.synchronized {
    if (state == Scan.Cut) {
      throw new Misuse("This scan was used after its transaction had ended", "Drain a scan before commit or abort.")
    }
    if (state == Scan.Open && !step()) close()
    state == Scan.Open
  }

  override def key: Array[Byte] = currentKey
  override def value: Array[Byte] = currentValue

  override def close(): Unit = transaction.synchronized {
    if (state == Scan.Open) {
      state = Scan.Closed
      onClose(base)
    }
  }

  /** Ends the scan because its transaction has ended. */
  def cut(): Unit = if (state == Scan.Open) {
    state = Scan.Cut
    base.close()
  }

  /** Moves to the next row; false at the end. */
  private def step(): Boolean = {
    var found = false
    while (!found && (committed.key != null || writtenKey != null)) {
      val order =
        if (writtenKey == null) -1
        else if (committed.key == null) 1
        else Arrays.compareUnsigned(committed.key, writtenKey)
      if (order < 0) {
        take(committed.key, committed.value)
        onRow(currentKey)
        found = true
        committed.advance()
      } else {
        val value = pending.value(writtenRecord, if (order == 0) committed.value else null)
        if (value != null) {
          take(writtenKey, value)
          found = true
        }
        if (order == 0) committed.advance()
        readWrittenKey()
      }
    }
    found
  }

  private def take(key: Array[Byte], value: Array[Byte]): Unit = {
    currentKey = key
    currentValue = value
  }

  /** Skips keys that were first written after the scan began. */
  private def readWrittenKey(): Unit = {
    writtenKey = null
    var looking = written != null
    while (looking && written.hasNext) {
      val entry = written.next()
      if (Arrays.compareUnsigned(entry.getKey, upper) >= 0) looking = false
      else {
        writtenRecord = pending.recordAt(mark, entry.getValue)
        if (writtenRecord >= 0) {
          writtenKey = entry.getKey
          looking = false
        }
      }
    }
  }
}

private object Scan {
  sealed trait State
  case object Open extends State
  case object Closed extends State

  /** Open when its transaction ended. */
  case object Cut extends State
}

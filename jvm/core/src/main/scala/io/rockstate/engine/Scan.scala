package io.rockstate.engine

import java.util.Arrays

import org.rocksdb.RocksIterator

/** The base version's rows and a transaction's own writes as one ordered sequence, as they stood when the scan began.
  *
  * @param native an iterator on the view's database, for this scan until it is closed
  */
private[engine] final class Scan(
    pending: PendingWrites,
    view: View,
    val native: RocksIterator,
    lower: Array[Byte],
    upper: Array[Byte],
    access: ScanAccess
) extends TransactionScan(access) {
  private val mark = pending.mark
  private val written = if (mark > 0) pending.keysFrom(lower) else null
  private var writtenKey: Array[Byte] = _
  private var writtenRecord = -1
  private val committed = new CommittedRows(view, native, lower, upper)

  readWrittenKey()

  override protected def letGo(): Unit = native.close()

  override protected def step(): Boolean = {
    var found = false
    while (!found && (committed.key != null || writtenKey != null)) {
      val order =
        if (writtenKey == null) -1
        else if (committed.key == null) 1
        else Arrays.compareUnsigned(committed.key, writtenKey)
      if (order < 0) {
        take(committed.key, committed.value)
        access.onCommittedRow(key)
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

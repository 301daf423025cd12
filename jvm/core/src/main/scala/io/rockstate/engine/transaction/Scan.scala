package io.rockstate.engine.transaction

import java.util.Arrays

import io.rockstate.engine.records.OrderedRows

/** The base version's rows and a transaction's own writes as one ordered sequence, as they stood when the scan began.
  *
  * @param committed the base version's rows from `lower` on and below `upper`
  * @param passing   takes those of them that the transaction has not written; null if nobody does
  */
private[engine] final class Scan(
    pending: PendingWrites,
    val committed: OrderedRows,
    lower: Array[Byte],
    upper: Array[Byte],
    access: ScanAccess,
    val passing: PassingRows
) extends TransactionScan(access) {
  private val mark = pending.mark
  private val written = if (mark > 0) pending.keysFrom(lower) else null
  private var writtenKey: Array[Byte] = _
  private var writtenRecord = -1

  readWrittenKey()

  override protected def letGo(): Unit = committed.close()

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
        if (passing != null) passing.pass(key, value)
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
    var id = if (written == null) -1 else written.next()
    while (id >= 0 && pending.isBelow(id, upper)) {
      writtenRecord = pending.recordAt(mark, id)
      if (writtenRecord >= 0) {
        writtenKey = pending.key(id)
        id = -1
      } else id = written.next()
    }
  }
}

package io.rockstate.engine.transaction

import java.util.Arrays

import io.rockstate.engine.cache.ReadCache

/** The rows of a complete read cache in a range, and a transaction's own writes as they stood when the scan began; in no order. It goes
  * through memory from end to end: a row takes a tenth of the time that it takes from a database.
  */
private[engine] final class CacheScan(
    pending: PendingWrites,
    cache: ReadCache,
    lower: Array[Byte],
    upper: Array[Byte],
    access: ScanAccess
) extends TransactionScan(access) {
  private val mark = pending.mark
  private val writtenKeys = pending.writtenKeys
  private val addresses = if (mark == 0) null else pending.addresses
  private val rows = cache.cursor()
  private var nextWritten = 0

  if (addresses != null) addresses.lookUpForScan()

  override protected def step(): Boolean = stepThroughCache() || stepThroughWrites()

  override protected def letGo(): Unit = ()

  private def stepThroughCache(): Boolean = {
    var isFound = false
    while (!isFound && rows.next())
      if (isInRange(rows.chunk, rows.keyOffset, rows.keyLength)) {
        val isWritten = addresses != null && addresses.isWritten(rows.address)
        val record = if (isWritten) pending.recordAt(mark, rows.chunk, rows.keyOffset, rows.keyLength) else -1
        val value = if (record < 0) rows.value else pending.value(record, rows.value)
        if (value != null) {
          take(rows.key, value)
          if (record < 0) access.onCommittedRow(key)
          isFound = true
        }
      }
    isFound
  }

  /** Those whose keys the cache did not have. */
  private def stepThroughWrites(): Boolean = {
    var isFound = false
    while (!isFound && nextWritten < writtenKeys) {
      if (!addresses.isCached(nextWritten)) {
        val written = pending.writtenKey(nextWritten)
        val record = pending.recordAtMark(mark, nextWritten)
        val value = if (isInRange(written, 0, written.length)) pending.value(record, null) else null
        if (value != null) {
          take(written, value)
          isFound = true
        }
      }
      nextWritten += 1
    }
    isFound
  }

  private def isInRange(bytes: Array[Byte], offset: Int, length: Int): Boolean =
    Arrays.compareUnsigned(bytes, offset, offset + length, lower, 0, lower.length) >= 0 &&
      Arrays.compareUnsigned(bytes, offset, offset + length, upper, 0, upper.length) < 0
}

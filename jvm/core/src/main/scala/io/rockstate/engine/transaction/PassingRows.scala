package io.rockstate.engine.transaction

import io.rockstate.engine.loaded.LoadedBase
import io.rockstate.engine.records.KeyHash

/** Leaves the base version's rows in the read cache while a scan of a whole column family passes them: after a restart the cache is empty, and
  * the next scan needs no database then. It ends where rows that were read would have to make room.
  */
private[engine] final class PassingRows(base: LoadedBase, pending: PendingWrites) {
  private val cache = base.cache
  private var goesOn = true

  /** Not a row whose key the transaction has written: where that is in the cache, or is not, the commit may know already. */
  def pass(key: Array[Byte], value: Array[Byte]): Unit = if (goesOn) {
    val hash = KeyHash.of(key)
    if (pending.newest(key, hash) < 0) goesOn = cache.takeIn(key, hash, value)
  }

  /** @param isWhole whether no row is left to pass
    * @param passed  how many rows were
    */
  def end(isWhole: Boolean, passed: Long): Unit =
    if (!goesOn) cache.giveUpFilling(base.version.rows)
    else if (isWhole) cache.noteRows(base.version.rows)
    else cache.noteScan(passed)
}

package io.rockstate.engine.transaction

import io.rockstate.engine.loaded.LoadedBase
import io.rockstate.engine.records.KeyHash

/** Leaves the base version's rows in the read cache while a scan of a column family, or of its first rows, passes them: after a restart the
  * cache is empty, and the next scan needs no database then. It ends where rows that were read would have to make room.
  *
  * @param family the column family's id
  */
private[engine] final class PassingRows(base: LoadedBase, pending: PendingWrites, family: Int) {
  private val cache = base.cache
  private var goesOn = true

  base.version.columnFamilies.find(_.id == family).foreach(found => cache.expect(found.rows))

  /** Not a row whose key the transaction has written: where that is in the cache, or is not, the commit may know already. */
  def pass(key: Array[Byte], value: Array[Byte]): Unit = if (goesOn) {
    val hash = KeyHash.of(key)
    if (pending.newest(key, hash) < 0) goesOn = cache.takeIn(key, hash, value)
  }

  /** @param passed how many rows were */
  def end(passed: Long): Unit =
    if (goesOn) {
      cache.noteRows(base.version.rows)
      if (!cache.isComplete) cache.noteScan(passed)
    } else cache.giveUpFilling(base.version.rows)
}

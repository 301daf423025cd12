package io.rockstate.engine.transaction

import java.util.Arrays

import io.rockstate.engine.cache.{CacheAddresses, ReadCache}
import io.rockstate.engine.records.KeyedRecords

/** How a transaction's writes change the number of rows of each column family. It is kept up while the task runs: to pass all keys at the
  * commit would be a third of it. Which keys the base version has is seen when they are looked up in its cache; what that does not tell is
  * left to the commit. Not thread-safe.
  *
  * @param cache     of the base version, or null
  * @param addresses of the written keys in it
  */
private[engine] final class RowChanges(written: KeyedRecords, cache: ReadCache, addresses: CacheAddresses) {
  private var byFamily = new Array[Long](1)
  private var seen = 0 // of the written keys, in the order of writing
  private var unsure = new Array[Int](16)
  private var unsureCount = 0

  /** Whether the base version has any of the written keys. */
  var anyBefore = false

  /** Takes note of a write before it is one of the records. */
  def write(id: Int, isRemoval: Boolean): Unit = {
    val newest = written.newest(id)
    val hasRow = newest >= 0 && !written.records.isRemoval(newest)
    if (hasRow == isRemoval) add(id, if (isRemoval) -1 else 1)
  }

  /** Takes note of which of the keys that were looked up the base version has. */
  def lookedUp(): Unit = while (seen < written.writtenKeys) {
    if (addresses != null && addresses.isCached(seen)) hadRow(seen)
    else if (cache == null || !cache.isComplete) {
      if (unsureCount == unsure.length) unsure = Arrays.copyOf(unsure, unsureCount * 2)
      unsure(unsureCount) = seen
      unsureCount += 1
    }
    seen += 1
  }

  /** By the families' ids.
    *
    * @param hadRow whether the base version has the n-th written key, where that is not known yet
    */
  def result(hadRow: Int => Boolean): Array[Long] = {
    var i = 0
    while (i < unsureCount) {
      if (hadRow(unsure(i))) this.hadRow(unsure(i))
      i += 1
    }
    unsureCount = 0
    byFamily
  }

  def allocatedBytes: Long = byFamily.length * 8L + unsure.length * 4L

  private def hadRow(n: Int): Unit = {
    anyBefore = true
    add(written.writtenKey(n), -1)
  }

  private def add(id: Int, rows: Int): Unit = {
    val family = written.index.family(id)
    if (family >= byFamily.length) byFamily = Arrays.copyOf(byFamily, family + 1)
    byFamily(family) += rows
  }
}

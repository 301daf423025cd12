package io.rockstate.engine.transaction

import java.util.Arrays

import io.rockstate.versions.CommittedVersion

/** What those portions of a transaction's writes come to that are in its database already. Not thread-safe.
  *
  * @param base what the transaction goes on from
  */
private[engine] final class AbsorbedPortions(base: CommittedVersion) {
  private var digest: Option[Long] = None
  private var changes = new Array[Long](1)

  /** Bytes that the largest took. */
  var mostBytes = 0L

  /** No key is above it; null if there is none. Rows that come in order need no look-up, which takes 2 us. */
  var highestKey: Array[Byte] = _

  def add(portion: FrozenWrites): Unit = {
    digest = Some(digestWith(portion))
    changes = rowChangesWith(portion)
    mostBytes = math.max(mostBytes, portion.layer.heapBytes)
    val last = portion.layer.keyIndex.key(portion.layer.ordered.last)
    if (highestKey == null || Arrays.compareUnsigned(last, highestKey) > 0) highestKey = last
  }

  /** The digest of the version that they make with `last`. Portions that all write keys of their own may come in any order; docs/file-format.md
    * has the formula.
    */
  def digestWith(last: FrozenWrites): Long = digest match {
    case Some(before) if !last.changesRows => before + last.layer.digest
    case before => last.layer.digestOn(before.getOrElse(base.contentDigest))
  }

  /** How each column family's row count changes by them and `last`. */
  def rowChangesWith(last: FrozenWrites): Array[Long] = {
    val sums = Arrays.copyOf(changes, math.max(changes.length, last.rowChanges.length))
    last.rowChanges.indices.foreach(id => sums(id) += last.rowChanges(id))
    sums
  }
}

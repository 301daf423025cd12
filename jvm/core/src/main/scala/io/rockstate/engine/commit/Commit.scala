package io.rockstate.engine.commit

import io.rockstate.engine.cache.CacheAddresses
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.loaded.LoadedBase
import io.rockstate.versions.CommittedVersion

/** All that a transaction hands over to become a version.
  *
  * @param base    what it goes on from
  * @param next    the version that it makes
  * @param changes what leads from the one to the other
  * @param delta   the same as a file, finished but not published
  * @param addresses where the base's cache has the changed keys; null if it has no cache
  * @param times   of what the commit does
  */
private[engine] final class Commit(
    val base: LoadedBase,
    val next: CommittedVersion,
    val changes: ChangeLayer,
    val delta: DeltaInProgress,
    val addresses: CacheAddresses,
    val times: CommitTimes
) {

  /** Has the local database and its cache go on to `version`; false if it does not hold the base any more. */
  def applyAs(version: CommittedVersion): Boolean = {
    val isApplied = base.source.advance(base.version, version, delta.size, changes)
    if (isApplied) base.keepInCache(version, changes, addresses)
    isApplied
  }
}

/** Nanoseconds that the parts of a commit took. */
private[engine] final class CommitTimes {
  private var publishing, applying = 0L

  def publishNanos: Long = publishing
  def applyNanos: Long = applying

  def publish[T](body: => T): T = {
    val start = System.nanoTime()
    try body
    finally publishing += System.nanoTime() - start
  }

  def apply(body: => Unit): Unit = {
    val start = System.nanoTime()
    try body
    finally applying += System.nanoTime() - start
  }
}

package io.rockstate.engine

import io.rockstate.db.CacheReads

/** Counts and times a transaction's calls. Not thread-safe. */
private[engine] final class TransactionFigures(recovery: RecoveryMetrics) {
  private var gets, puts, merges, removes, scans = 0L
  private var getNanos, putNanos, scanNanos, countNanos, publishNanos, applyNanos, commitNanos = 0L
  var deltaBytes, rowHits, rowMisses = 0L
  var cacheReads: CacheReads = CacheReads()

  def get[T](body: => T): T = {
    gets += 1
    timed(getNanos += _)(body)
  }

  def put(body: => Unit): Unit = {
    puts += 1
    timed(putNanos += _)(body)
  }

  def merge(body: => Unit): Unit = {
    merges += 1
    timed(putNanos += _)(body)
  }

  def remove(body: => Unit): Unit = {
    removes += 1
    timed(putNanos += _)(body)
  }

  def scan[T](body: => T): T = {
    scans += 1
    timed(scanNanos += _)(body)
  }

  def count[T](body: => T): T = timed(countNanos += _)(body)
  def publish(body: => Unit): Unit = timed(publishNanos += _)(body)
  def apply(body: => Unit): Unit = timed(applyNanos += _)(body)
  def commit[T](body: => T): T = timed(commitNanos += _)(body)

  def result(rows: Long, internalRows: Long, pendingBytes: Long): TransactionMetrics = TransactionMetrics(
    rows = rows,
    internalRows = internalRows,
    puts = puts,
    merges = merges,
    removes = removes,
    gets = gets,
    scans = scans,
    getNanos = getNanos,
    putNanos = putNanos,
    scanNanos = scanNanos,
    countNanos = countNanos,
    deltaBytes = deltaBytes,
    publishNanos = publishNanos,
    applyNanos = applyNanos,
    commitNanos = commitNanos,
    pendingBytes = pendingBytes,
    rowHits = rowHits,
    rowMisses = rowMisses,
    cacheHits = cacheReads.hits,
    cacheMisses = cacheReads.misses,
    recovery = recovery
  )

  private def timed[T](add: Long => Unit)(body: => T): T = {
    val start = System.nanoTime()
    try body
    finally add(System.nanoTime() - start)
  }
}

package io.rockstate.engine

import io.rockstate.db.CacheReads

/** Counts and times a transaction's calls. Reads and writes of single keys are so short that reading the clock would be a tenth of them:
  * one in `SampledEvery` is timed and stands for the others. Not thread-safe.
  */
private[engine] final class TransactionFigures(recovery: RecoveryMetrics) {
  import TransactionFigures._

  private var gets, puts, merges, removes, scans = 0L
  private var getNanos, putNanos, scanNanos, countNanos, publishNanos, applyNanos, commitNanos = 0L
  private var untilSampled = 0
  var deltaBytes, rowHits, rowMisses = 0L
  var cacheReads: CacheReads = CacheReads()

  def get[T](body: => T): T = {
    gets += 1
    if (isSampled()) timed(nanos => getNanos += nanos * SampledEvery)(body) else body
  }

  def put(body: => Unit): Unit = {
    puts += 1
    write(body)
  }

  def merge(body: => Unit): Unit = {
    merges += 1
    write(body)
  }

  def remove(body: => Unit): Unit = {
    removes += 1
    write(body)
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

  private def write(body: => Unit): Unit =
    if (isSampled()) timed(nanos => putNanos += nanos * SampledEvery)(body) else body

  private def isSampled(): Boolean = {
    untilSampled -= 1
    val isDue = untilSampled < 0
    if (isDue) untilSampled = SampledEvery - 1
    isDue
  }

  private def timed[T](add: Long => Unit)(body: => T): T = {
    val start = System.nanoTime()
    try body
    finally add(System.nanoTime() - start)
  }
}

private object TransactionFigures {

  /** No power of two: operators repeat their calls in patterns that are. */
  val SampledEvery = 17
}

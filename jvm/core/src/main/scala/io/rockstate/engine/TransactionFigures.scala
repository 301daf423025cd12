package io.rockstate.engine

import io.rockstate.db.CacheReads

/** Counts and times a transaction's calls. Reads and writes of single keys are so short that reading the clock would be a tenth of them:
  * one in `SampledEvery` is timed, and stands for the others. Not thread-safe.
  */
private[engine] final class TransactionFigures(recovery: RecoveryMetrics) {
  import TransactionFigures._

  private var gets, puts, merges, removes, scans = 0L
  private val getTimes, writeTimes = new Samples
  private var scanNanos, countNanos, publishNanos, applyNanos, commitNanos = 0L
  var deltaBytes, rowHits, rowMisses = 0L
  var cacheReads: CacheReads = CacheReads()

  def get[T](body: => T): T = {
    gets += 1
    if (getTimes.isDue()) timed(getTimes.add)(body) else body
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
    getNanos = getTimes.nanosOf(gets),
    putNanos = writeTimes.nanosOf(puts + merges + removes),
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

  private def write(body: => Unit): Unit = if (writeTimes.isDue()) timed(writeTimes.add)(body) else body

  private def timed[T](add: Long => Unit)(body: => T): T = {
    val start = System.nanoTime()
    try body
    finally add(System.nanoTime() - start)
  }
}

private object TransactionFigures {

  /** No power of two: operators repeat their calls in patterns that are. */
  private val SampledEvery = 17

  /** The times of some of many calls. */
  final class Samples {
    private var untilNext = 0
    private var nanos, count = 0L

    /** Whether the call that comes now is to be timed. */
    def isDue(): Boolean = {
      untilNext -= 1
      val isDue = untilNext < 0
      if (isDue) untilNext = SampledEvery - 1
      isDue
    }

    def add(callNanos: Long): Unit = {
      nanos += callNanos
      count += 1
    }

    /** The estimate for this many calls. */
    def nanosOf(calls: Long): Long = if (count == 0) 0 else (nanos.toDouble / count * calls).toLong
  }
}

package io.rockstate.engine.transaction

import io.rockstate.db.CacheReads
import io.rockstate.engine.api.{RecoveryMetrics, TransactionMetrics}
import io.rockstate.engine.commit.CommitTimes

/** Counts and times a transaction's calls. Reads and writes of single keys are so short that reading the clock would be a tenth of them:
  * one in `SampledEvery` is timed, and stands for the others. Not thread-safe.
  */
private[engine] final class TransactionFigures(recovery: RecoveryMetrics) {
  import TransactionFigures._

  private var gets, puts, merges, removes, scans = 0L
  private val getTimes, writeTimes = new Samples
  private var scanNanos, countNanos, commitNanos = 0L
  var deltaBytes, rowHits, rowMisses = 0L
  var cacheReads: CacheReads = CacheReads()
  val commitTimes = new CommitTimes

  /** Called before each get; what it returns goes to `endedGet`. No closure stands between a call and its work: `timed` has so many kinds of them
    * that the JVM would not inline any.
    */
  def startGet(): Long = {
    gets += 1
    getTimes.start()
  }

  def endedGet(started: Long): Unit = getTimes.end(started)

  /** The same for each put, merge and remove, and `endedWrite`. */
  def startPut(): Long = {
    puts += 1
    writeTimes.start()
  }

  def startMerge(): Long = {
    merges += 1
    writeTimes.start()
  }

  def startRemove(): Long = {
    removes += 1
    writeTimes.start()
  }

  def endedWrite(started: Long): Unit = writeTimes.end(started)

  def scan[T](body: => T): T = {
    scans += 1
    timed(scanNanos += _)(body)
  }

  def count[T](body: => T): T = timed(countNanos += _)(body)
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
    publishNanos = commitTimes.publishNanos,
    applyNanos = commitTimes.applyNanos,
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

private object TransactionFigures {

  /** No power of two: operators repeat their calls in patterns that are. */
  private val SampledEvery = 17
  private val NotTimed = Long.MinValue

  /** The times of some of many calls. */
  final class Samples {
    private var untilNext = 0
    private var nanos, count = 0L

    /** When the call that comes now began, or `NotTimed`. */
    def start(): Long = {
      untilNext -= 1
      if (untilNext >= 0) NotTimed
      else {
        untilNext = SampledEvery - 1
        System.nanoTime()
      }
    }

    def end(started: Long): Unit = if (started != NotTimed) {
      nanos += System.nanoTime() - started
      count += 1
    }

    /** The estimate for this many calls. */
    def nanosOf(calls: Long): Long = if (count == 0) 0 else (nanos.toDouble / count * calls).toLong
  }
}

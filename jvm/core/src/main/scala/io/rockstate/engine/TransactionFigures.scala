package io.rockstate.engine

/** Counts and times a transaction's calls. Not thread-safe. */
private[engine] final class TransactionFigures(recovery: RecoveryMetrics) {
  private var gets, puts, removes, scans = 0L
  private var getNanos, putNanos, scanNanos, countNanos, publishNanos, applyNanos, commitNanos = 0L
  var deltaBytes = 0L

  def get[T](body: => T): T = {
    val start = System.nanoTime()
    try body
    finally {
      gets += 1
      getNanos += System.nanoTime() - start
    }
  }

  def put(body: => Unit): Unit = {
    puts += 1
    write(body)
  }

  def remove(body: => Unit): Unit = {
    removes += 1
    write(body)
  }

  private def write(body: => Unit): Unit = {
    val start = System.nanoTime()
    try body
    finally putNanos += System.nanoTime() - start
  }

  def scan[T](body: => T): T = {
    val start = System.nanoTime()
    try body
    finally {
      scans += 1
      scanNanos += System.nanoTime() - start
    }
  }

  def count[T](body: => T): T = {
    val start = System.nanoTime()
    try body
    finally countNanos += System.nanoTime() - start
  }

  def publish(body: => Unit): Unit = {
    val start = System.nanoTime()
    try body
    finally publishNanos += System.nanoTime() - start
  }

  def apply(body: => Unit): Unit = {
    val start = System.nanoTime()
    try body
    finally applyNanos += System.nanoTime() - start
  }

  def commit[T](body: => T): T = {
    val start = System.nanoTime()
    try body
    finally commitNanos += System.nanoTime() - start
  }

  def result(rows: Long, pendingBytes: Long): TransactionMetrics = TransactionMetrics(
    rows = rows,
    puts = puts,
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
    recovery = recovery
  )
}

package io.rockstate.engine.api

/** Figures of one transaction. Times in nanoseconds, sizes in bytes.
  *
  * @param rows         keys in all column families that are not internal
  * @param countNanos   for looking up which written keys are new, so that `rows` is exact
  * @param internalRows keys in the internal ones
  * @param pendingBytes JVM memory that the transaction's own writes held
  * @param rowHits      reads of single keys that the read cache answered, `rowMisses` those that it did not
  * @param cacheHits    blocks that were found in the block cache while the transaction ran, whoever of this store read them
  */
final case class TransactionMetrics(
    rows: Long = 0,
    internalRows: Long = 0,
    puts: Long = 0,
    merges: Long = 0,
    removes: Long = 0,
    gets: Long = 0,
    scans: Long = 0,
    getNanos: Long = 0,
    putNanos: Long = 0,
    scanNanos: Long = 0,
    countNanos: Long = 0,
    deltaBytes: Long = 0,
    publishNanos: Long = 0,
    applyNanos: Long = 0,
    commitNanos: Long = 0,
    pendingBytes: Long = 0,
    rowHits: Long = 0,
    rowMisses: Long = 0,
    cacheHits: Long = 0,
    cacheMisses: Long = 0,
    recovery: RecoveryMetrics = RecoveryMetrics()
)

/** What it took to have the transaction's base version at hand; all zero if it was there already. */
final case class RecoveryMetrics(
    nanos: Long = 0,
    snapshotVersion: Long = 0,
    deltasReplayed: Long = 0,
    bytesRead: Long = 0,
    tableFilesFetched: Long = 0,
    tableFilesReused: Long = 0,
    snapshotsSkipped: Long = 0,
    warmRestarts: Long = 0
)

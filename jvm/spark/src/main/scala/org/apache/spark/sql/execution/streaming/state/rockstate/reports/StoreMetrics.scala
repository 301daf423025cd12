package org.apache.spark.sql.execution.streaming.state.rockstate.reports

import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.sql.execution.streaming.state._

import io.rockstate.engine.api.TransactionMetrics

/** The custom metrics of a store, each with where its value comes from: what is reported and what is declared is one list. */
private[rockstate] object StoreMetrics {

  private final case class Figure(metric: StateStoreCustomMetric, value: TransactionMetrics => Long)

  private val transactionFigures: Seq[Figure] = Seq(
    count("rockstateGetCount", "reads of single keys", _.gets),
    count("rockstatePutCount", "puts", _.puts),
    count("rockstateMergeCount", "values appended to keys that may have several", _.merges),
    count("rockstateRemoveCount", "removes", _.removes),
    count("rockstateScanCount", "scans", _.scans),
    millis("rockstateGetLatencyMs", "time in reads of single keys", _.getNanos),
    millis("rockstatePutLatencyMs", "time in puts, merges and removes", _.putNanos),
    millis("rockstateScanLatencyMs", "time to start scans", _.scanNanos),
    millis("rockstateCommitLatencyMs", "time to commit what the batch has changed", _.commitNanos),
    millis("rockstateCountLatencyMs", "part of the commit: time to find out which written keys are new", _.countNanos),
    millis(
      "rockstatePublishLatencyMs",
      "part of the commit: time until the delta was durable and visible",
      _.publishNanos
    ),
    millis(
      "rockstateApplyLatencyMs",
      "part of the commit: time to take the writes over into the open store",
      _.applyNanos
    ),
    count(
      "rockstateInternalRows",
      "rows in internal column families, which the number of rows leaves out",
      _.internalRows
    ),
    count("rockstateReadCacheHits", "reads of single keys that the read cache answered", _.rowHits),
    count("rockstateReadCacheMisses", "reads of single keys that the read cache did not answer", _.rowMisses),
    count("rockstateBlockCacheHits", "blocks that reads found in the block cache", _.cacheHits),
    count("rockstateBlockCacheMisses", "blocks that reads had to fetch from the local disk", _.cacheMisses),
    size("rockstatePendingBytes", "JVM memory that the batch's own writes held", _.pendingBytes),
    size("rockstateDeltaBytesWritten", "size of the delta written", _.deltaBytes),
    millis("rockstateRecoveryLatencyMs", "time to recover the version that the batch began with", _.recovery.nanos),
    count("rockstateDeltasReplayed", "deltas replayed in recoveries", _.recovery.deltasReplayed),
    count(
      "rockstateWarmRestarts",
      "databases that recoveries found on the local disk and went on from",
      _.recovery.warmRestarts
    ),
    size("rockstateRecoveryBytesRead", "bytes read from the checkpoint in recoveries", _.recovery.bytesRead),
    count("rockstateTableFilesFetched", "table files fetched in recoveries", _.recovery.tableFilesFetched),
    count(
      "rockstateTableFilesReused",
      "table files that recoveries found on the local disk",
      _.recovery.tableFilesReused
    ),
    count(
      "rockstateSnapshotsSkipped",
      "damaged snapshots that recoveries skipped for an earlier one",
      _.recovery.snapshotsSkipped
    )
  )

  /** Under the name that Spark's file store uses, for tools that watch it. */
  val forcedSnapshots: StateStoreCustomMetric =
    StateStoreCustomSumMetric(
      "forceSnapshotCount",
      "Rockstate: commits that Spark wanted as a snapshot; the next maintenance stores it"
    )

  val deltasSinceSnapshot: StateStoreCustomMetric =
    sum(
      "rockstateDeltasSinceSnapshot",
      "deltas since the newest snapshot of each store, added up; one store's recovery replays its own"
    )

  val aborts: StateStoreCustomMetric =
    sum("rockstateAborts", "write transactions that were aborted since the last batch")

  val snapshotsUploaded: StateStoreCustomMetric =
    sum("rockstateSnapshotsUploaded", "snapshots stored since the last batch")

  val snapshotFilesWritten: StateStoreCustomMetric =
    sum("rockstateSnapshotFilesWritten", "files written for snapshots since the last batch, manifests included")

  val snapshotBytesWritten: StateStoreCustomMetric =
    StateStoreCustomSizeMetric(
      "rockstateSnapshotBytesWritten",
      "Rockstate: size of the files written for snapshots since the last batch"
    )

  val filesDeleted: StateStoreCustomMetric = sum("rockstateFilesDeleted", "files cleaned up since the last batch")

  val maintenanceFailures: StateStoreCustomMetric =
    sum("rockstateMaintenanceFailures", "maintenance runs that failed since the last batch")

  /** What is counted beside batches, and reported with the next one. */
  val betweenBatches: Seq[StateStoreCustomMetric] =
    Seq(aborts, snapshotsUploaded, snapshotFilesWritten, snapshotBytesWritten, filesDeleted, maintenanceFailures)

  val supported: Seq[StateStoreCustomMetric] =
    transactionFigures.map(_.metric) ++ Seq(forcedSnapshots, deltasSinceSnapshot) ++ betweenBatches

  /** The custom metrics that come from the engine. */
  def of(metrics: TransactionMetrics): Map[StateStoreCustomMetric, Long] =
    transactionFigures.map(figure => figure.metric -> figure.value(metrics)).toMap

  private def sum(name: String, what: String): StateStoreCustomMetric =
    StateStoreCustomSumMetric(name, s"Rockstate: $what")

  private def count(name: String, what: String, value: TransactionMetrics => Long): Figure =
    Figure(sum(name, what), value)

  private def size(name: String, what: String, value: TransactionMetrics => Long): Figure =
    Figure(StateStoreCustomSizeMetric(name, s"Rockstate: $what"), value)

  private def millis(name: String, what: String, nanos: TransactionMetrics => Long): Figure =
    Figure(StateStoreCustomTimingMetric(name, s"Rockstate: $what"), metrics => NANOSECONDS.toMillis(nanos(metrics)))
}

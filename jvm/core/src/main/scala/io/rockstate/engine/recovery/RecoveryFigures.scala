package io.rockstate.engine.recovery

import io.rockstate.engine.api.RecoveryMetrics

/** Adds up what a recovery costs, from its creation on. */
private[engine] final class RecoveryFigures {
  private val start = System.nanoTime()
  var snapshotVersion = 0L
  var deltasReplayed = 0L
  var bytesRead = 0L
  var tableFilesFetched = 0L
  var tableFilesReused = 0L
  var snapshotsSkipped = 0L
  var warmRestarts = 0L

  def result(): RecoveryMetrics = RecoveryMetrics(
    System.nanoTime() - start,
    snapshotVersion,
    deltasReplayed,
    bytesRead,
    tableFilesFetched,
    tableFilesReused,
    snapshotsSkipped,
    warmRestarts
  )
}

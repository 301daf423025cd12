package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state._

/** What Spark's coordinator on the driver takes reports of. */
private[rockstate] object Coordinator {
  def snapshotUploaded(store: StateStoreProviderId, version: Long, conf: StateStoreConf): Unit =
    if (conf.reportSnapshotUploadLag) {
      StateStoreProvider.coordinatorRef.foreach(_.snapshotUploaded(store, version, System.currentTimeMillis()))
    }

  def committed(id: StateStoreId, version: Long, conf: StateStoreConf, hadoopConf: Configuration): Unit =
    if (conf.commitValidationEnabled) StateStore.reportCommitToCoordinator(version, id, hadoopConf)
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state._

/** Spark 4.0's coordinator takes no reports. */
private[rockstate] object Coordinator {
  def snapshotUploaded(store: StateStoreProviderId, version: Long, conf: StateStoreConf): Unit = ()

  def committed(id: StateStoreId, version: Long, conf: StateStoreConf, hadoopConf: Configuration): Unit = ()
}

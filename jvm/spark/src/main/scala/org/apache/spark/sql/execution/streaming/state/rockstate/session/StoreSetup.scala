package org.apache.spark.sql.execution.streaming.state.rockstate.session

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state.{StateStoreConf, StateStoreId}
import org.apache.spark.sql.types.StructType

/** What Spark says of a store at `init`. */
private[rockstate] final case class StoreSetup(
    id: StateStoreId,
    keySchema: StructType,
    valueSchema: StructType,
    useColumnFamilies: Boolean,
    conf: StateStoreConf,
    hadoopConf: Configuration
)

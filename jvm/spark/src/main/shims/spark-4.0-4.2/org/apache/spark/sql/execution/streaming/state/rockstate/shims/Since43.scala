package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.KeyStateEncoderSpec
import org.apache.spark.sql.types.StructType

// What Spark 4.3 added to its traits.

private[shims] trait ProviderSince43 {
  def doSnapshotMaintenance(): Unit
  def doCleanupMaintenance(): Unit
}

private[shims] trait ReadStoreSince43 {
  def registerColFamily(
      colFamilyName: String,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      isInternal: Boolean
  ): Unit
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.{RangeKeyScanStateEncoder, RocksDBKeyStateEncoder}

/** Whether a range of the encoder's keys is one of the rows that its column family has. */
private[rockstate] object KeyRanges {
  def canBeScanned(encoder: RocksDBKeyStateEncoder): Boolean = encoder.isInstanceOf[RangeKeyScanStateEncoder]
  def canBeDeleted(encoder: RocksDBKeyStateEncoder): Boolean = canBeScanned(encoder)
}

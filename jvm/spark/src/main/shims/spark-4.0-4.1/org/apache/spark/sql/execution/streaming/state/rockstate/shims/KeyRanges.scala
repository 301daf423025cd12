package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.RocksDBKeyStateEncoder

/** Spark 4.2 brought calls on ranges of keys: nobody makes them. */
private[rockstate] object KeyRanges {
  def canBeScanned(encoder: RocksDBKeyStateEncoder): Boolean = false
  def canBeDeleted(encoder: RocksDBKeyStateEncoder): Boolean = false
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.StateStoreConf

/** Spark's row checksum, which 4.2 brought: there is none. */
private[rockstate] trait RowChecksum {
  def add(engineKey: Array[Byte], value: Array[Byte]): Array[Byte]
  def verify(engineKey: Array[Byte], stored: Array[Byte], from: Int, until: Int): Int
}

private[rockstate] object RowChecksum {
  def of(conf: StateStoreConf, owner: String): Option[RowChecksum] = None
}

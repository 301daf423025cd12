package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import scala.annotation.unused

import org.apache.spark.sql.execution.streaming.state.StateStoreConf

/** Spark's row checksum, which 4.2 brought: there is none. */
private[rockstate] trait RowChecksum {
  def add(engineKey: Array[Byte], value: Array[Byte]): Array[Byte]
  def verify(engineKey: Array[Byte], stored: Array[Byte], from: Int, until: Int): Int
}

private[rockstate] object RowChecksum {
  def layout(@unused conf: StateStoreConf): Vector[String] = Vector.empty
  def of(@unused conf: StateStoreConf, @unused owner: String): Option[RowChecksum] = None
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import scala.annotation.unused

import org.apache.spark.sql.execution.streaming.state.StateStoreConf

private[rockstate] object CleanUpLimit {

  /** How many versions one clean-up deletes at most; negative is no limit, and 4.0 has none. */
  def of(@unused conf: StateStoreConf): Int = -1
}

package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.StateStoreConf

private[rockstate] object CleanUpLimit {

  /** How many versions one clean-up deletes at most; negative is no limit. */
  def of(conf: StateStoreConf): Int = conf.maxVersionsToDeletePerMaintenance
}

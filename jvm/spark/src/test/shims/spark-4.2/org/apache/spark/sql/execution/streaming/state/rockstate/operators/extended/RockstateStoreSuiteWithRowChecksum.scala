package org.apache.spark.sql.execution.streaming.state.rockstate.operators.extended

import org.apache.spark.sql.execution.streaming.state.EnableStateStoreRowChecksum
import org.apache.spark.sql.execution.streaming.state.rockstate.store.RockstateStoreSuite

/** `RockstateStoreSuite` with Spark's row checksums. */
class RockstateStoreSuiteWithRowChecksum extends RockstateStoreSuite with EnableStateStoreRowChecksum {
  override protected def testQuietly(name: String)(f: => Unit): Unit = super[RockstateStoreSuite].testQuietly(name)(f)
}

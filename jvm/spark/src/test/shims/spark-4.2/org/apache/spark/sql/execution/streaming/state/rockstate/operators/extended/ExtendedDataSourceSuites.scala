package org.apache.spark.sql.execution.streaming.state.rockstate.operators.extended

import org.apache.spark.sql.execution.streaming.state.rockstate.operators._

// In the checkpoint format that `StateDataSourceSuite` has not.

class RockstateDataSourceReadSuite extends DataSourceReadOnRockstate {
  override protected def checkpointFormat: Int = 1
}

class RockstateChangeFeedSuite extends ChangeFeedOnRockstate {
  override protected def checkpointFormat: Int = 1
}

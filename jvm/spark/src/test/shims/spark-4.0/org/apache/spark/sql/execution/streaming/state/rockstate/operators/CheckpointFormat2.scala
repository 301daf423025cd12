package org.apache.spark.sql.execution.streaming.state.rockstate.operators

/** Format 1 as well: 4.0's state data source passes no checkpoint ids, and its operators do not report them for batches without tasks. */
trait CheckpointFormat2 extends OnRockstate

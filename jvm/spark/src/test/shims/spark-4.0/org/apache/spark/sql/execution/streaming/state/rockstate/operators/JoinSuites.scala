package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.sql.streaming._

class RockstateInnerJoinSuite extends StreamingInnerJoinSuite with OnRockstate {
  override protected def impossible: Map[String, String] = Map(
    "SPARK-26187 restore the stream-stream inner join query" -> OnRockstate.readsForeignCheckpoint,
    "SPARK-48687 - restore the stream-stream inner join query" -> OnRockstate.readsForeignCheckpoint
  )
}

class RockstateOuterJoinSuite extends StreamingOuterJoinSuite with OnRockstate {
  override protected def impossible: Map[String, String] =
    Map("SPARK-26187 restore the stream-stream outer join query" -> OnRockstate.readsForeignCheckpoint)
}

class RockstateFullOuterJoinSuite extends StreamingFullOuterJoinSuite with OnRockstate
class RockstateLeftSemiJoinSuite extends StreamingLeftSemiJoinSuite with OnRockstate

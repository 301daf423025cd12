package org.apache.spark.sql.execution.streaming.state.rockstate.operators.extended

import org.apache.spark.sql.execution.streaming.state.rockstate.operators._
import org.apache.spark.sql.streaming._

// The joins in the state formats that `JoinSuites` has no time for; `-Drockstate.allTests=true` lets sbt run them.

class RockStateInnerJoinSuite extends StreamingInnerJoinWithoutVCFSuite with InnerJoinOnRockstate
class RockStateInnerJoinV3Suite extends StreamingInnerJoinWithVCFSuite with InnerJoinOnRockstate

class RockStateOuterJoinSuite extends StreamingOuterJoinWithoutVCFSuite with OuterJoinOnRockstate
class RockStateOuterJoinV4Suite extends StreamingOuterJoinV4Suite with OuterJoinOnRockstate

class RockStateFullOuterJoinV3Suite extends StreamingFullOuterJoinWithVCFSuite with JoinOnRockstate
class RockStateFullOuterJoinV4Suite extends StreamingFullOuterJoinV4Suite with JoinOnRockstate

class RockStateLeftSemiJoinSuite extends StreamingLeftSemiJoinWithoutVCFSuite with JoinOnRockstate
class RockStateLeftSemiJoinV3Suite extends StreamingLeftSemiJoinWithVCFSuite with JoinOnRockstate

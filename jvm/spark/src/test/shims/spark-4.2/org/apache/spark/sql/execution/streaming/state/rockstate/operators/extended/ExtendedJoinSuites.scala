package org.apache.spark.sql.execution.streaming.state.rockstate.operators.extended

import org.apache.spark.sql.execution.streaming.state.rockstate.operators._
import org.apache.spark.sql.streaming._

// The joins in the state formats that `JoinSuites` has no time for; `-Drockstate.allTests=true` lets sbt run them.

class RockstateInnerJoinSuite extends StreamingInnerJoinWithoutVCFSuite with InnerJoinOnRockstate
class RockstateInnerJoinV3Suite extends StreamingInnerJoinWithVCFSuite with InnerJoinOnRockstate

class RockstateOuterJoinSuite extends StreamingOuterJoinWithoutVCFSuite with OuterJoinOnRockstate
class RockstateOuterJoinV4Suite extends StreamingOuterJoinV4Suite with OuterJoinOnRockstate

class RockstateFullOuterJoinV3Suite extends StreamingFullOuterJoinWithVCFSuite with JoinOnRockstate
class RockstateFullOuterJoinV4Suite extends StreamingFullOuterJoinV4Suite with JoinOnRockstate

class RockstateLeftSemiJoinSuite extends StreamingLeftSemiJoinWithoutVCFSuite with JoinOnRockstate
class RockstateLeftSemiJoinV3Suite extends StreamingLeftSemiJoinWithVCFSuite with JoinOnRockstate

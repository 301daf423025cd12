package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.sql.streaming._

/** Registers each join test once: Spark's suites register one per provider, or per setting of Spark's RocksDB provider. */
trait JoinOnRockstate extends StreamingJoinSuite with OnRockstate {
  override protected def test(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit =
    if (testMode == Mode.WithVCF) testWithVirtualColumnFamilyJoins(testName, testTags: _*)(testBody)
    else testWithoutVirtualColumnFamilyJoins(testName, testTags: _*)(testBody)
}

trait InnerJoinOnRockstate extends JoinOnRockstate {
  override protected def impossible: Map[String, String] =
    if (testMode == Mode.WithVCF)
      Map(
        "SPARK-51779 Restart streaming join query with virtual column families" -> OnRockstate.readsRocksDBMetrics,
        "SPARK-51779 Restart the join query and changing" -> OnRockstate.readsRocksDBMetrics,
        "SPARK-51779 Join query using virtual column families with HDFS should fail" ->
          "is about a provider without column families"
      )
    else Map("SPARK-48687" -> OnRockstate.readsForeignCheckpoint)
}

class RockStateInnerJoinSuite extends StreamingInnerJoinWithoutVCFSuite with InnerJoinOnRockstate
class RockStateOuterJoinSuite extends StreamingOuterJoinWithoutVCFSuite with JoinOnRockstate
class RockStateFullOuterJoinSuite extends StreamingFullOuterJoinWithoutVCFSuite with JoinOnRockstate
class RockStateLeftSemiJoinSuite extends StreamingLeftSemiJoinWithoutVCFSuite with JoinOnRockstate

class RockStateInnerJoinV3Suite extends StreamingInnerJoinWithVCFSuite with InnerJoinOnRockstate
class RockStateOuterJoinV3Suite extends StreamingOuterJoinWithVCFSuite with JoinOnRockstate
class RockStateFullOuterJoinV3Suite extends StreamingFullOuterJoinWithVCFSuite with JoinOnRockstate
class RockStateLeftSemiJoinV3Suite extends StreamingLeftSemiJoinWithVCFSuite with JoinOnRockstate

class RockStateInnerJoinV4Suite extends StreamingInnerJoinV4Suite with InnerJoinOnRockstate
class RockStateOuterJoinV4Suite extends StreamingOuterJoinV4Suite with JoinOnRockstate
class RockStateFullOuterJoinV4Suite extends StreamingFullOuterJoinV4Suite with JoinOnRockstate
class RockStateLeftSemiJoinV4Suite extends StreamingLeftSemiJoinV4Suite with JoinOnRockstate

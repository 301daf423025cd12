package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.sql.streaming._

/** Registers each join test once: Spark's suites register one per provider, or per setting of Spark's RocksDB provider. */
trait JoinOnRockstate extends StreamingJoinSuite with InTwoPartitions {
  override protected def test(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit =
    if (testMode == Mode.WithVCF) testWithVirtualColumnFamilyJoins(testName, testTags: _*)(testBody)
    else testWithoutVirtualColumnFamilyJoins(testName, testTags: _*)(testBody)
}

trait InnerJoinOnRockstate extends JoinOnRockstate {
  override protected def isSlow(testName: String): Boolean = testName.contains("- Update (")

  private def restored = Map(
    "SPARK-26187 restore the stream-stream inner join query" -> OnRockstate.readsForeignCheckpoint,
    "SPARK-48687 - restore the stream-stream inner join query" -> OnRockstate.readsForeignCheckpoint
  )

  private def aboutColumnFamilies = Map(
    "SPARK-51779 Restart streaming join query with virtual column families" -> OnRockstate.readsRocksDBMetrics,
    "SPARK-51779 Restart the join query and changing" -> OnRockstate.readsRocksDBMetrics,
    "SPARK-51779 Join query using virtual column families with HDFS should fail" ->
      "is about a provider without column families"
  )

  override protected def impossible: Map[String, String] =
    if (testMode == Mode.WithVCF) restored ++ aboutColumnFamilies else restored
}

trait OuterJoinOnRockstate extends JoinOnRockstate {
  override protected def isSlow(testName: String): Boolean = testName.startsWith("right outer")

  override protected def impossible: Map[String, String] =
    Map("SPARK-26187 restore the stream-stream outer join query" -> OnRockstate.readsForeignCheckpoint)
}

// Every kind of join and every state format once; `extended` has the rest.

class RockstateInnerJoinV4Suite extends StreamingInnerJoinV4Suite with InnerJoinOnRockstate
class RockstateOuterJoinV3Suite extends StreamingOuterJoinWithVCFSuite with OuterJoinOnRockstate
class RockstateFullOuterJoinSuite extends StreamingFullOuterJoinWithoutVCFSuite with JoinOnRockstate
class RockstateLeftSemiJoinV4Suite extends StreamingLeftSemiJoinV4Suite with JoinOnRockstate

package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.sql.streaming._

/** Registers each join test once for each state format: Spark's suites register one per provider, or per setting of Spark's RocksDB
  * provider.
  */
trait JoinOnRockstate extends StreamingJoinSuite with OnRockstate {
  override protected def test(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit = {
    testWithVirtualColumnFamilyJoins(testName, testTags: _*)(testBody)
    testWithoutVirtualColumnFamilyJoins(testName, testTags: _*)(testBody)
  }
}

class RockstateInnerJoinSuite extends StreamingInnerJoinSuite with JoinOnRockstate {
  override protected def impossible: Map[String, String] = Map(
    "SPARK-26187 restore the stream-stream inner join query" -> OnRockstate.readsForeignCheckpoint,
    "SPARK-48687 - restore the stream-stream inner join query" -> OnRockstate.readsForeignCheckpoint,
    "SPARK-51779 Restart streaming join query with virtual column families" -> OnRockstate.readsRocksDBMetrics,
    "SPARK-51779 Restart the join query and changing" -> OnRockstate.readsRocksDBMetrics,
    "SPARK-51779 Join query using virtual column families with HDFS should fail" ->
      "is about a provider without column families"
  )
}

class RockstateOuterJoinSuite extends StreamingOuterJoinSuite with JoinOnRockstate {
  override protected def impossible: Map[String, String] =
    Map("SPARK-26187 restore the stream-stream outer join query" -> OnRockstate.readsForeignCheckpoint)
}

class RockstateFullOuterJoinSuite extends StreamingFullOuterJoinSuite with JoinOnRockstate
class RockstateLeftSemiJoinSuite extends StreamingLeftSemiJoinSuite with JoinOnRockstate

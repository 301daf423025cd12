package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming._

class RockstateGroupStateSuite extends FlatMapGroupsWithStateSuite with OnRockstate {
  override protected def isSlow(testName: String): Boolean =
    testName.contains("streaming") && SlowTests.isOfFirstFormat(testName)

  override protected def impossible: Map[String, String] = Map(
    "flatMapGroupsWithState - recovery from checkpoint uses state format version 1" ->
      OnRockstate.readsForeignCheckpoint
  )
}

class RockstateInitialGroupStateSuite extends FlatMapGroupsWithStateWithInitialStateSuite with OnRockstate {
  override protected def isSlow(testName: String): Boolean = SlowTests.isOfFirstFormat(testName)
}

class RockstateAggregationSuite extends StreamingAggregationSuite with InTwoPartitions {
  override protected def isSlow(testName: String): Boolean =
    !testName.startsWith("simple count") && SlowTests.isOfFirstFormat(testName)

  override protected def impossible: Map[String, String] = Map(
    "simple count, update mode - recovery from checkpoint uses state format version 1" ->
      OnRockstate.readsForeignCheckpoint
  )
}

class RockstateDeduplicationSuite extends StreamingDeduplicationSuite with InTwoPartitions {
  override protected def impossible: Map[String, String] = Map(
    "SPARK-39650: recovery from checkpoint" -> OnRockstate.readsForeignCheckpoint
  )
}

class RockstateDeduplicationWithinWatermarkSuite extends StreamingDeduplicationWithinWatermarkSuite with OnRockstate

/** Spark's suite registers each test once per provider. */
class RockstateSessionWindowSuite extends StreamingSessionWindowSuite with InTwoPartitions {
  override protected def isSlow(testName: String): Boolean =
    testName.contains("session window") && testName.endsWith("merging sessions in local partition: true")

  override def testWithAllOptions(name: String, confPairs: (String, String)*)(func: => Any): Unit =
    Seq("true", "false").foreach { merging =>
      val option = SQLConf.STREAMING_SESSION_WINDOW_MERGE_SESSIONS_IN_LOCAL_PARTITION.key -> merging
      test(s"$name - merging sessions in local partition: $merging")(withSQLConf(confPairs :+ option: _*)(func))
    }
}

class RockstateMultipleOperatorsSuite extends MultiStatefulOperatorsSuite with InTwoPartitions {

  /** Each is much like another one. */
  override protected def isSlow(testName: String): Boolean =
    Seq("right outer join", "inner join - Update", "output watermark for").exists(testName.contains(_))
}

/** Of Spark's suite, the tests of streaming limits. */
class RockstateLimitSuite extends StreamSuite with OnRockstate {
  override protected def test(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit =
    if (testName.contains("limit")) super.test(testName, testTags: _*)(testBody)
}

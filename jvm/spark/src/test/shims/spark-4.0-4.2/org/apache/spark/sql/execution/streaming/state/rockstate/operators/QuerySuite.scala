package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.SparkConf
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.state.{HDFSBackedStateStoreProvider, StateStore}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.MovedInTests.MemoryStream
import org.apache.spark.sql.functions._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.{OutputMode, StreamTest}

/** Whole queries, on both checkpoint formats and with restarts from the checkpoint. */
class QuerySuite extends StreamTest {
  import testImplicits._

  override protected def sparkConf: SparkConf = super.sparkConf
    .set(SQLConf.STATE_STORE_PROVIDER_CLASS.key, classOf[io.rockstate.RockStateStoreProvider].getName)
    .set(SQLConf.SHUFFLE_PARTITIONS.key, "2")

  override def afterAll(): Unit = {
    StateStore.stop()
    super.afterAll()
  }

  private def testOnBothFormats(name: String)(body: => Any): Unit = Seq("1", "2").foreach { format =>
    test(s"$name (checkpoint format $format)") {
      withSQLConf(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key -> format)(body)
    }
  }

  testOnBothFormats("dropDuplicates lets each value through once, over restarts too") {
    withTempDir { checkpoint =>
      val input = MemoryStream[String]
      testStream(input.toDF().dropDuplicates(), OutputMode.Append)(
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, "a", "b", "a"),
        CheckNewAnswer("a", "b"),
        AddData(input, "b", "c"),
        CheckNewAnswer("c"),
        StopStream,
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, "a", "c", "d"),
        CheckNewAnswer("d")
      )
    }
  }

  Seq(OutputMode.Update -> false, OutputMode.Complete -> true).foreach { case (mode, isComplete) =>
    testOnBothFormats(s"a count by key goes on after a restart, in $mode mode") {
      withTempDir { checkpoint =>
        val input = MemoryStream[Int]
        def answer(all: Seq[(Int, Long)], changed: Seq[(Int, Long)]) =
          CheckNewAnswer(if (isComplete) all.head else changed.head, (if (isComplete) all else changed).tail: _*)
        testStream(input.toDF().groupBy("value").agg(count("*")).as[(Int, Long)], mode)(
          StartStream(checkpointLocation = checkpoint.getAbsolutePath),
          AddData(input, 1, 2, 2),
          answer(Seq(1 -> 1L, 2 -> 2L), Seq(1 -> 1L, 2 -> 2L)),
          AddData(input, 2, 3),
          answer(Seq(1 -> 1L, 2 -> 3L, 3 -> 1L), Seq(2 -> 3L, 3 -> 1L)),
          StopStream,
          StartStream(checkpointLocation = checkpoint.getAbsolutePath),
          AddData(input, 1),
          answer(Seq(1 -> 2L, 2 -> 3L, 3 -> 1L), Seq(1 -> 2L))
        )
      }
    }
  }

  testOnBothFormats("the watermark evicts windows in append mode") {
    val input = MemoryStream[Int]
    val windows = input
      .toDF()
      .withColumn("time", timestamp_seconds($"value"))
      .withWatermark("time", "10 seconds")
      .groupBy(window($"time", "5 seconds").as("window"))
      .agg(count("*").as("count"))
      .select($"window".getField("start").cast("long"), $"count")
      .as[(Long, Long)]
    testStream(windows)(
      AddData(input, 10, 11, 12, 13, 14, 15),
      CheckNewAnswer(),
      AddData(input, 25),
      CheckNewAnswer((10, 5)),
      Execute(query => assert(query.lastProgress.stateOperators.head.numRowsTotal == 2))
    )
  }

  testOnBothFormats("session windows grow, merge, are evicted and go on after a restart") {
    withTempDir { checkpoint =>
      val input = MemoryStream[(String, Long)]
      testStream(sessions(input.toDF()), OutputMode.Append)(
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, ("a", 40L), ("b", 41L), ("a", 60L)),
        CheckNewAnswer(),
        Execute(query => assert(query.lastProgress.stateOperators.head.numRowsTotal == 3)),
        StopStream,
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, ("a", 50L), ("a", 55L)),
        CheckNewAnswer(),
        Execute(query => assert(query.lastProgress.stateOperators.head.numRowsTotal == 2)),
        AddData(input, ("c", 120L)),
        CheckNewAnswer(("a", 40, 70, 4), ("b", 41, 51, 1))
      )
    }
  }

  private def sessions(events: DataFrame) = events
    .toDF("key", "seconds")
    .withColumn("time", timestamp_seconds($"seconds"))
    .withWatermark("time", "30 seconds")
    .groupBy(session_window($"time", "10 seconds").as("session"), $"key")
    .agg(count("*").as("count"))
    .select($"key", $"session".getField("start").cast("long"), $"session".getField("end").cast("long"), $"count")
    .as[(String, Long, Long, Long)]

  testOnBothFormats("a stream-stream join keeps and evicts both sides' rows") {
    val (left, right) = (MemoryStream[Int], MemoryStream[Int])
    def side(input: MemoryStream[Int], name: String) = input
      .toDF()
      .select($"value".as(s"${name}Key"), timestamp_seconds($"value").as(s"${name}Time"))
      .withWatermark(s"${name}Time", "10 seconds")
    val joined = side(left, "left")
      .join(
        side(right, "right"),
        expr(
          "leftKey = rightKey AND leftTime >= rightTime - interval 5 seconds AND leftTime <= rightTime + interval 5 seconds"
        ),
        "left_outer"
      )
      .select($"leftKey", $"rightKey".cast("int"))
      .as[(Int, Option[Int])]
    testStream(joined)(
      MultiAddData(left, 1, 2, 3)(right, 2, 3, 4),
      CheckNewAnswer((2, Some(2)), (3, Some(3))),
      AddData(left, 4),
      CheckNewAnswer((4, Some(4))),
      MultiAddData(left, 50)(right, 50),
      CheckNewAnswer((50, Some(50)), (1, None))
    )
  }

  testOnBothFormats("progress has the exact number of rows and our metrics") {
    val input = MemoryStream[Int]
    testStream(input.toDF().dropDuplicates(), OutputMode.Append)(
      AddData(input, 1 to 100: _*),
      CheckNewAnswer(1, 2 to 100: _*),
      AddData(input, 50 to 149: _*),
      CheckNewAnswer(101, 102 to 149: _*),
      Execute { query =>
        val state = query.lastProgress.stateOperators.head
        assert(state.numRowsTotal == 149 && state.memoryUsedBytes > 0)
        assert(state.customMetrics.get("rockstatePutCount") == 49)
        assert(state.customMetrics.get("rockstateDeltaBytesWritten") > 0)
        assert(!state.customMetrics.keySet.stream().anyMatch(name => name.startsWith("rocksdb")))
      }
    )
  }

  test("the provider of the checkpoint's first batch stays, whatever the session says at a restart") {
    withTempDir { checkpoint =>
      val input = MemoryStream[Int]
      def run(newAnswer: Int)(data: Int*) = testStream(input.toDF().dropDuplicates(), OutputMode.Append)(
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, data: _*),
        CheckNewAnswer(newAnswer),
        Execute(query => assert(query.lastProgress.stateOperators.head.customMetrics.containsKey("rockstatePutCount")))
      )
      run(1)(1)
      withSQLConf(SQLConf.STATE_STORE_PROVIDER_CLASS.key -> classOf[HDFSBackedStateStoreProvider].getName)(run(2)(1, 2))
    }
  }

  testOnBothFormats("a query that fails in a batch goes on from its last good batch") {
    withTempDir { checkpoint =>
      val input = MemoryStream[Int]
      val refuse13 = udf((value: Int) => if (value == 13 && QuerySuite.refuses) sys.error("13 is refused") else value)
      val counts = input.toDF().groupBy(refuse13($"value").as("value")).agg(count("*")).as[(Int, Long)]
      QuerySuite.refuses = true
      testStream(counts, OutputMode.Update)(
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, 1, 2),
        CheckNewAnswer((1, 1), (2, 1)),
        AddData(input, 1, 13),
        ExpectFailure[org.apache.spark.SparkException](_ => QuerySuite.refuses = false),
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        CheckNewAnswer((1, 2), (13, 1))
      )
    }
  }
}

object QuerySuite {
  @volatile var refuses = false
}

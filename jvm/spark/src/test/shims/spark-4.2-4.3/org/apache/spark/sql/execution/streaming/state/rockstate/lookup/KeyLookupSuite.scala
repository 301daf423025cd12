package org.apache.spark.sql.execution.streaming.state.rockstate.lookup

import java.nio.file.Paths

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.SparkSession

class KeyLookupSuite extends AnyFunSuite with BeforeAndAfterAll {
  private val golden = Paths.get("../../tests/golden/checkpoints/4.2/aggregation-f1").toAbsolutePath.normalize
  private lazy val session = SparkSession
    .builder()
    .master("local[2]")
    .config("spark.ui.enabled", value = false)
    .config("spark.sql.session.timeZone", "Europe/Berlin")
    .getOrCreate()

  override def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  /** How many of the two partitions are read for a window from and to these hours of the day that a clock is put back. */
  private def partitionsRead(from: String, to: String): Int = {
    val key = Map("start" -> from, "end" -> to).map { case (name, hour) => s"window.$name" -> s"2025-10-26 $hour:00" }
    val request = KeyRequest(golden.toString, None, 0, "default", key + ("_groupingexpression" -> "a"))
    val rows = session.range(0, 4, 1, 2).toDF()
    new KeyLookup(session, request).narrowed(rows).queryExecution.toRdd.getNumPartitions
  }

  test("a time that comes twice is looked for in all partitions") {
    assert(partitionsRead("01:30", "03:30") == 1)
    assert(partitionsRead("02:30", "03:30") == 2)
    assert(partitionsRead("01:30", "02:30") == 2)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.Unsupported

class LogEntrySuite extends AnyFunSuite {
  private val planned =
    "v1\n" + """{"batchWatermarkMs":1704067200000,"batchTimestampMs":2,"conf":{"a.codec":"lz4","provider":"Old"},"later":[1]}""" +
      "\n{\"logOffset\":0}\n-"

  test("the confs of an offset log's entry") {
    assert(LogEntry.conf(planned) == Map("a.codec" -> "lz4", "provider" -> "Old"))
    assert(LogEntry.conf("v1\n\n{}") == Map.empty)
  }

  test("a conf is changed, and nothing else") {
    val changed = LogEntry.planned(planned, Map("provider" -> "New"))
    assert(changed == planned.replace("Old", "New"))
  }

  private val one = "v1\n{\"nextBatchWatermarkMs\":5}"
  private val two = "v2\n" + """{"nextBatchWatermarkMs":5,"stateUniqueIds":{"0":[["a","b"],["c","d"]],"1":[["e"]]}}"""
  private val ids = Map(0L -> Array(Array("a", "b"), Array("c", "d")), 1L -> Array(Array("e")))

  test("a commit log's entry tells its checkpoint format and ids") {
    assert(LogEntry.format(one) == 1 && LogEntry.idsIn(one).isEmpty)
    assert(LogEntry.format(two) == 2)
    assert(LogEntry.idsIn(two).get.map { case (k, v) => k -> v.map(_.toSeq).toSeq } == ids.map { case (k, v) =>
      k -> v.map(_.toSeq).toSeq
    })
  }

  test("a commit log's entry goes from one format to the other and back") {
    assert(LogEntry.committed(one, 2, Some(ids)) == two)
    assert(LogEntry.committed(two, 1, None) == one)
  }

  test("an entry of a later version keeps it, with what it has") {
    val three = "v3\n" + """{"nextBatchWatermarkMs":5,"sinkMetadataMap":{"s":{"isActive":true}}}"""
    assert(LogEntry.committed(three, 1, None) == three)
    val named = LogEntry.committed(three, 2, Some(Map(0L -> Array(Array("x")))))
    assert(named.startsWith("v3\n") && named.contains("sinkMetadataMap") && LogEntry.format(named) == 2)
  }

  test("an offset log's entry without what it has of sources") {
    assert(LogEntry.withoutOffsets("v1\n{}\n{\"logOffset\":3}\n-") == "v1\n{}\n-\n-")
    intercept[Unsupported](LogEntry.withoutOffsets("v2\n{}\nclicks:{\"logOffset\":3}"))
  }
}

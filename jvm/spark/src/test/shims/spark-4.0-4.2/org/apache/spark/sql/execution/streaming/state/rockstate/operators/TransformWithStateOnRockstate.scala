package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.sql.execution.streaming.state.AlsoTestWithRocksDBFeatures

/** Runs one of Spark's suites for transformWithState on Rockstate. */
trait TransformWithStateOnRockstate extends OnRockstate {

  /** What Spark itself ignores is none of ours. */
  override protected def ignore(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit = ()
}

/** The same for suites that run every test with changelog checkpointing and without: a conf that Rockstate has no use for. */
trait TransformWithStateOnRockstateOnce extends TransformWithStateOnRockstate with AlsoTestWithRocksDBFeatures {
  override def testWithChangelogCheckpointingDisabled(testName: String, testTags: Tag*)(testBody: => Any): Unit = ()
}

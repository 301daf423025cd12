package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.sql.execution.streaming.state.AlsoTestWithRocksDBFeatures

/** Runs one of Spark's suites for transformWithState on Rockstate. */
trait TransformWithStateOnRockstate extends OnRockstate {

  /** Whether a test takes long and is much like a quicker one: those run with `-Drockstate.allTests=true` only. */
  protected def isSlow(testName: String): Boolean = false

  override def tags: Map[String, Set[String]] = {
    val tags = super.tags
    tags ++ testNames.filter(isSlow).map(name => name -> (tags.getOrElse(name, Set.empty) + "io.rockstate.Slow"))
  }

  /** What Spark itself ignores is none of ours. */
  override protected def ignore(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit = ()
}

/** The same for suites that run every test with changelog checkpointing and without: a conf that Rockstate has no use for. */
trait TransformWithStateOnRockstateOnce extends TransformWithStateOnRockstate with AlsoTestWithRocksDBFeatures {
  override def testWithChangelogCheckpointingDisabled(testName: String, testTags: Tag*)(testBody: => Any): Unit = ()
}

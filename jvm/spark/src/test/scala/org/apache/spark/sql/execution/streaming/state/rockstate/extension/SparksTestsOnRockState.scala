package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import org.scalactic.source.Position
import org.scalatest.Tag

import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.streaming.state.{
  AlsoTestWithRocksDBFeatures,
  RocksDBStateStoreProvider,
  StateStore
}
import org.apache.spark.sql.internal.{SQLConf, StaticSQLConf}
import org.apache.spark.sql.streaming.StreamTest

import io.rockstate.{RockStateExtensions, RockStateStoreProvider}

/** Runs a suite of Spark's with Rockstate wherever it names Spark's RocksDB provider. */
trait SparksTestsOnRockState extends StreamTest {

  /** The name of each test that cannot pass on another provider than Spark's, and why. */
  protected def impossible: Map[String, String] = Map.empty

  override protected def sparkConf: SparkConf =
    super.sparkConf.set(StaticSQLConf.SPARK_SESSION_EXTENSIONS.key, classOf[RockStateExtensions].getName)

  override protected def withSQLConf[T](pairs: (String, String)*)(f: => T): T =
    super.withSQLConf(pairs.map(SparksTestsOnRockState.onRockState): _*)(f)

  override protected def test(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit =
    if (!impossible.contains(testName)) super.test(testName, testTags: _*)(testBody)

  /** What Spark itself ignores is none of ours. */
  override protected def ignore(testName: String, testTags: Tag*)(testBody: => Any)(implicit pos: Position): Unit = ()

  override def afterAll(): Unit = {
    StateStore.stop()
    super.afterAll()
  }
}

private object SparksTestsOnRockState {
  private val sparks = SQLConf.STATE_STORE_PROVIDER_CLASS.key -> classOf[RocksDBStateStoreProvider].getName
  private val ours = SQLConf.STATE_STORE_PROVIDER_CLASS.key -> classOf[RockStateStoreProvider].getName

  private def onRockState(setting: (String, String)): (String, String) = if (setting == sparks) ours else setting
}

/** The same for suites that run every test with changelog checkpointing and without: a conf that Rockstate has no use for. */
trait SparksRocksDBTestsOnRockState extends SparksTestsOnRockState with AlsoTestWithRocksDBFeatures {
  override def testWithChangelogCheckpointingDisabled(testName: String, testTags: Tag*)(testBody: => Any): Unit = ()
}

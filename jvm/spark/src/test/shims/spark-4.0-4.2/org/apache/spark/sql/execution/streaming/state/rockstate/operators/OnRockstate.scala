package org.apache.spark.sql.execution.streaming.state.rockstate.operators

import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.sql.internal.{SQLConf, StaticSQLConf}

/** Runs a suite of Spark's own with Rockstate as the provider, also where the suite names one of Spark's. */
trait OnRockstate extends SettledTriggers with SlowTests {

  /** Tests that no third-party provider can pass: how their names begin, and the reason. They are reported as ignored. */
  protected def impossible: Map[String, String] = Map.empty

  override protected def sparkConf: SparkConf =
    super.sparkConf
      .set(SQLConf.STATE_STORE_PROVIDER_CLASS.key, OnRockstate.providerClass)
      .set(StaticSQLConf.SPARK_SESSION_EXTENSIONS.key, classOf[io.rockstate.RockstateExtensions].getName)

  override protected def withSQLConf[T](pairs: (String, String)*)(f: => T): T =
    super.withSQLConf(pairs.map {
      case (key, _) if key == SQLConf.STATE_STORE_PROVIDER_CLASS.key => key -> OnRockstate.providerClass
      case other => other
    }: _*)(f)

  override def tags: Map[String, Set[String]] = impossible.keys.foldLeft(super.tags) { (tags, beginning) =>
    val names = testNames.filter(_.startsWith(beginning))
    require(names.nonEmpty, s"$suiteName has no test whose name begins with: $beginning")
    tags ++ names.map(name => name -> (tags.getOrElse(name, Set.empty) + "org.scalatest.Ignore"))
  }

  override def afterAll(): Unit = {
    StateStore.stop()
    super.afterAll()
  }
}

/** Two partitions show what Spark's five do, in half the time, unless a test expects the rows of one of these. */
trait InTwoPartitions extends OnRockstate {
  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set(SQLConf.SHUFFLE_PARTITIONS.key, "2")
  }
}

object OnRockstate {
  val providerClass: String = classOf[io.rockstate.RockStateStoreProvider].getName

  val readsForeignCheckpoint =
    "goes on from a checkpoint that Spark's file-based provider wrote: a checkpoint keeps its provider"
  val writesRocksDBFiles = "waits for a file of Spark's RocksDB provider and rewrites it"
  val readsRocksDBMetrics = "looks for the custom metrics of Spark's RocksDB provider by name"
}

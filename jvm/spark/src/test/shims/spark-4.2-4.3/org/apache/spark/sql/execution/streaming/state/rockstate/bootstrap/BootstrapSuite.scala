package org.apache.spark.sql.execution.streaming.state.rockstate.bootstrap

import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.{Dataset, Encoders, Row}
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.MovedInTests.MemoryStream
import org.apache.spark.sql.streaming.{GroupState, GroupStateTimeout, OutputMode}
import org.apache.spark.util.Utils

import io.rockstate.errors.Misuse

case class Seen(count: Long, times: Seq[Long])

class BootstrapSuite extends AnyFunSuite with BeforeAndAfterAll {
  private lazy val session = SparkSession
    .builder()
    .master("local[2]")
    .config("spark.ui.enabled", value = false)
    .config("spark.sql.shuffle.partitions", 2)
    .config("spark.sql.streaming.stateStore.providerClass", ProviderClass.Name)
    .getOrCreate()

  override def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  private val Groups = "0-flatMapGroupsWithState/default"

  private def counted(words: Dataset[String]): DataFrame = {
    val spark = session
    import spark.implicits._
    words
      .groupByKey(identity)
      .flatMapGroupsWithState(OutputMode.Update(), GroupStateTimeout.NoTimeout()) {
        (word: String, rows: Iterator[String], state: GroupState[Seen]) =>
          val before = state.getOption.getOrElse(Seen(0, Nil))
          val n = rows.size.toLong
          state.update(Seen(before.count + n, before.times :+ n))
          Iterator((word, state.get.count, state.get.times.mkString(" ")))
      }
      .toDF()
      .asInstanceOf[DataFrame]
  }

  /** What it emits in each batch, of which each has these words. */
  private def run(checkpoint: Path, batches: Seq[String]*): Vector[Set[(String, Long, String)]] = {
    val spark = session
    import spark.implicits._
    val words = MemoryStream[String](Encoders.STRING, session)
    val emitted = new ConcurrentLinkedQueue[Set[(String, Long, String)]]
    val query = counted(words.toDS()).writeStream
      .outputMode("update")
      .option("checkpointLocation", checkpoint.toString)
      .foreachBatch { (batch: Dataset[Row], _: Long) =>
        emitted.add(batch.as[(String, Long, String)].collect().toSet): Unit
      }
      .start()
    try
      batches.foreach { batch =>
        words.addData(batch)
        query.processAllAvailable()
      }
    finally query.stop()
    emitted.asScala.toVector
  }

  private def bootstrapped(to: Path, rows: String): Unit = {
    val begun = Utils.createTempDir().toPath.resolve("begun").toString
    new Beginning(counted(MemoryStream[String](Encoders.STRING, session).toDS()), "update", begun).run()
    val request = BootstrapRequest(begun, to.toString, isDryRun = false)
    new Bootstrap(session, request, Map(Groups -> session.sql(rows))).run(): Unit
  }

  test("groups go on with state that was made in batch as if they had seen all") {
    val (history, since) = (Seq("a", "b", "a"), Seq("a", "c"))
    val all = run(Utils.createTempDir().toPath.resolve("all"), history, since)
    val to = Utils.createTempDir().toPath.resolve("new")
    val words = history.map(word => s"('$word')").mkString(", ")
    bootstrapped(
      to,
      "SELECT struct(word AS value) key, struct(struct(count(1) AS count, array(count(1)) AS times) AS groupState) value " +
        s"FROM VALUES $words AS t(word) GROUP BY word"
    )
    assert(all.size == 2 && run(to, since) == all.drop(1))
  }

  test("a null within a group's state that is none to its class is refused") {
    assume(SPARK_VERSION < "4.3", "its schemas of state do not tell")
    Map("NULL AS count, array(1L) AS times" -> "count", "1L AS count, array(1L, NULL) AS times" -> "times.element")
      .foreach { case (fields, named) =>
        val rows = s"SELECT struct('a' AS value) key, struct(struct($fields) AS groupState) value"
        val to = Utils.createTempDir().toPath.resolve("new")
        val failure = intercept[Exception](bootstrapped(to, rows.replace("NULL AS", "CAST(NULL AS bigint) AS")))
        val found = Iterator.iterate[Throwable](failure)(_.getCause).takeWhile(_ != null).collectFirst {
          case e: Misuse => e.problem
        }
        assert(found.exists(_.contains(s"a null in groupState.$named")), failure)
      }
  }
}

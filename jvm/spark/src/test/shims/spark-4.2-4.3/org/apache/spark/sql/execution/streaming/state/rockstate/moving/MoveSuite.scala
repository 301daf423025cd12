package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.file.{Files, Path, Paths}

import org.apache.commons.io.FileUtils
import org.apache.hadoop.conf.Configuration
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider
import org.apache.spark.util.Utils

import io.rockstate.errors.{Conflict, Misuse, Unsupported}

class MoveSuite extends AnyFunSuite with BeforeAndAfterAll {
  private val golden = Paths.get("../../tests/golden/checkpoints/4.2/aggregation-f1").toAbsolutePath.normalize
  private val Last = 5L
  private lazy val session =
    SparkSession.builder().master("local[2]").config("spark.ui.enabled", value = false).getOrCreate()

  override def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  private def copy(): Path = {
    val old = Utils.createTempDir().toPath.resolve("old")
    FileUtils.copyDirectory(golden.toFile, old.toFile)
    old
  }

  private def move(old: Path, to: Path, partitions: Option[Int] = None, batch: Option[Long] = None): Move = {
    val provider = Option.when(partitions.isEmpty)(classOf[HDFSBackedStateStoreProvider].getName)
    new Move(session, MoveRequest(old.toString, to.toString, provider, partitions, batch, None, isDryRun = true))
  }

  private def planWith(old: Path, partitions: Option[Int] = None, batch: Option[Long] = None): MoveReport =
    move(old, old.resolveSibling("new"), partitions, batch).plan()

  test("a batch that was begun and not committed is refused unless the one before it is named") {
    val old = copy()
    Files.delete(old.resolve(s"commits/$Last"))
    Vector(None, Some(7)).foreach { partitions =>
      val failure = intercept[Conflict](planWith(old, partitions))
      assert(failure.problem.contains(s"Batch $Last was begun") && failure.remedy.contains(s"--batch ${Last - 1}"))
      assert(planWith(old, partitions, Some(Last - 1)).batch == Last - 1)
    }
  }

  test("a dry run refuses a folder that is in use") {
    val used = Utils.createTempDir().toPath
    Files.writeString(used.resolve("precious"), "")
    intercept[Misuse](move(copy(), used).plan())
  }

  test("rows that need not be where their keys say are not spread anew") {
    val old = copy()
    val strict = "\"spark.sql.streaming.statefulOperator.useStrictDistribution\":\""
    Files.list(old.resolve("offsets")).filter(!_.toString.endsWith(".crc")).forEach { entry =>
      val text = Files.readString(entry)
      assert(text.contains(strict + "true"))
      Files.writeString(entry, text.replace(strict + "true", strict + "false")): Unit
    }
    assert(intercept[Unsupported](planWith(old, Some(7))).problem.contains("strict distribution"))
  }

  test("an operator of which Spark does not say how it spreads its rows is named") {
    val (plan, partitions) = new SourceCheckpoint(golden.toString, None, new Configuration()).stores.head
    val failure = intercept[Unsupported](new Placement(plan.copy(operatorName = "unheardOf"), partitions).require())
    assert(failure.problem.contains("(unheardOf) spreads its rows"))
  }

  test("folders that a smaller number of partitions has left are not read") {
    val old = copy()
    FileUtils.copyDirectory(old.resolve("state/0/0").toFile, old.resolve("state/0/9").toFile)
    assert(planWith(old).stores.map(_.partitions) == planWith(copy()).stores.map(_.partitions))
  }

  test("of what a source keeps, a file that is still being written stays behind") {
    val old = copy()
    Files.createDirectories(old.resolve("sources/0"))
    Vector("0", ".1.7f.tmp").foreach(name => Files.writeString(old.resolve(s"sources/0/$name"), name))
    val to = old.resolveSibling("new")
    move(old, to).run()
    assert(to.resolve("sources/0").toFile.list().toSet.filterNot(_.endsWith(".crc")) == Set("0"))
  }

  test("rows come to Spark's file-based provider as of the version that they have, and are read back") {
    val moved = move(golden, Utils.createTempDir().toPath.resolve("new %41")).run()
    assert(moved.totals.map(_.rows).sum == 4)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.commons.io.FileUtils
import org.scalatest.{BeforeAndAfterAll, BeforeAndAfterEach}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{RunMark, SourceCheckpoint}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.FileSystemBasedCheckpointFileManager
import org.apache.spark.util.Utils

import io.rockstate.errors.{Conflict, Misuse, Unavailable}

/** Forks and rollbacks that must not begin. */
class RewindSuite extends AnyFunSuite with BeforeAndAfterAll with BeforeAndAfterEach {
  private val golden = Paths.get("../../tests/golden/checkpoints/4.0/aggregation-f1").toAbsolutePath.normalize
  private val Last = 5
  private lazy val session = SparkSession
    .builder()
    .master("local[2]")
    .config("spark.ui.enabled", value = false)
    .config("spark.sql.streaming.checkpointFileManagerClass", classOf[FileSystemBasedCheckpointFileManager].getName)
    .config("fs.file.impl", classOf[ClosedFiles].getName)
    .config("fs.file.impl.disable.cache", value = true)
    .getOrCreate()

  override def beforeEach(): Unit = {
    ClosedFiles.closed = None
    ClosedFiles.lost = None
    ClosedFiles.atLoss = () => ()
  }

  override def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  private def copy(of: Path = golden): Path = {
    val folder = Utils.createTempDir().toPath.resolve("copy")
    FileUtils.copyDirectory(of.toFile, folder.toFile)
    folder
  }

  private def rollback(folder: Path, batch: Long, isDryRun: Boolean = false): RollbackReport = {
    val rollback = new Rollback(session, RollbackRequest(folder.toString, batch, isDryRun))
    if (isDryRun) rollback.plan() else rollback.run()
  }

  private def planFork(folder: Path, batch: Long): ForkReport =
    new Fork(session, ForkRequest(folder.toString, s"$folder-new", Some(batch), isDryRun = true)).plan()

  /** With other partitions from this batch on, and without logs before `first`. */
  private def repartitioned(from: Int, first: Int): Path = {
    val folder = copy()
    (from to Last).map(batch => folder.resolve(s"offsets/$batch")).foreach { entry =>
      val (before, after) = ("\"spark.sql.shuffle.partitions\":\"2\"", "\"spark.sql.shuffle.partitions\":\"4\"")
      val text = Files.readString(entry)
      assert(text.contains(before))
      Files.writeString(entry, text.replace(before, after))
    }
    for (log <- Seq("offsets", "commits"); batch <- 0 until first) Files.delete(folder.resolve(s"$log/$batch"))
    folder
  }

  test("a rollback that cannot tell what to move has not begun") {
    val folder = copy()
    ClosedFiles.closed = Some("6.snapshot")
    assert(intercept[Unavailable](rollback(folder, 2)).getMessage.contains("6.snapshot"))
    assert(Files.exists(folder.resolve("metadata")) && !Files.exists(folder.resolve("rockstate-rollback")))
  }

  test("a batch before a repartition, without the one before it, is none that a query can start after") {
    val folder = repartitioned(from = 3, first = 2)
    Seq(() => planFork(folder, 2), () => rollback(folder, 2, isDryRun = true), () => rollback(folder, 2)).foreach {
      begun =>
        val failure = intercept[Misuse](begun())
        assert(failure.problem.contains("No query can start after batch 2"))
        assert(failure.remedy == "The first batch to go on after is 3.")
    }
    new SourceCheckpoint(folder.toString, Some(3), session.sessionState.newHadoopConf()).requireStart()
    assert(planFork(repartitioned(from = 3, first = 1), 2).batch == 2)
    assert(planFork(repartitioned(from = 1, first = 0), 0).batch == 0)
  }

  /** Copies a store, as a task does. */
  private def fork(folder: Path, target: Path, batch: Option[Long] = None): ForkedStore = {
    val mark = RunMark(target.toString, "mark")
    Files.writeString(target.resolve(mark.name), mark.id)
    fork(folder, mark, batch)
  }

  private def fork(folder: Path, mark: RunMark, batch: Option[Long]): ForkedStore = {
    val conf = session.sessionState.newHadoopConf()
    val store = StoreAt.all(new SourceCheckpoint(folder.toString, batch, conf)).head
    new StoreFork(folder.toString, mark, store, conf).run()
  }

  private def copyWithIds(): Path = copy(golden.resolve("../../4.2/aggregation-f2"))

  private def filesIn(folder: Path): Vector[Path] =
    Using.resource(Files.walk(folder))(_.iterator.asScala.filter(Files.isRegularFile(_)).toVector)

  test("a task that copies what another has copied does not touch it: it may be killed meanwhile") {
    val (folder, target) = (copyWithIds(), Utils.createTempDir().toPath)
    fork(folder, target)
    def nodes = filesIn(target).map(file => file -> Files.getAttribute(file, "unix:ino")).toMap
    val before = nodes
    fork(folder, target)
    assert(before.keys.exists(_.toString.endsWith(".sst")) && nodes == before)
  }

  for (what <- Seq("another has begun" -> Some("another"), "has ended" -> None))
    test(s"a task of a run that ${what._1} stores nothing") {
      val (folder, target) = (copyWithIds(), Utils.createTempDir().toPath)
      what._2.foreach(Files.writeString(target.resolve("mark"), _))
      val failure = intercept[Conflict](fork(folder, RunMark(target.toString, "mark"), None))
      assert(failure.problem.contains("Another run has begun"))
      assert(filesIn(target).filterNot(_.endsWith("mark")).isEmpty)
    }

  test("a task that begins once more leaves what others have stored since") {
    val (folder, target) = (copyWithIds(), Utils.createTempDir().toPath)
    fork(folder, target)
    val copied = filesIn(target)
    val later = copied.find(_.toString.endsWith(".snapshot")).get.resolveSibling("99_of-a-query.delta")
    Files.writeString(later, "of a query that runs on the copy")
    ClosedFiles.lost = copied.map(_.getFileName.toString).find(_.endsWith(".sst"))
    ClosedFiles.timesLost = 6 // a file that is missing is looked for so often
    fork(folder, target)
    assert(ClosedFiles.timesLost == 0 && Files.exists(later))
  }

  private val beforeLast = Some(4L)

  private def withoutSnapshot(folder: Path): Path = {
    (0 to 1).foreach(n => Files.deleteIfExists(folder.resolve(s"state/0/$n/3.snapshot")))
    folder
  }

  /** The snapshot that a copy begins with is cleaned up when its table files are copied. */
  private def cleanedUpMeanwhile(): Path = {
    val folder = copy()
    ClosedFiles.lost = Some("5.delta")
    ClosedFiles.timesLost = 12
    ClosedFiles.atLoss = () => withoutSnapshot(folder): Unit
    folder
  }

  private def forked(folder: Path): Path = {
    val target = Utils.createTempDir().toPath.resolve("new")
    new Fork(session, ForkRequest(folder.toString, target.toString, beforeLast, isDryRun = false)).run()
    target
  }

  test("a task deletes nothing of what it copied in vain: for another one it may be part of the copy") {
    val (folder, target) = (cleanedUpMeanwhile(), Utils.createTempDir().toPath)
    val leftOver = fork(folder, target, beforeLast).leftOver.map(target.resolve("state/0/0").resolve(_))
    assert(leftOver.exists(_.endsWith("3.snapshot")) && leftOver.forall(Files.exists(_)))
  }

  test("a fork that is done has no such files") {
    def names(of: Path) = filesIn(of).map(of.relativize(_).toString).sorted
    val disturbed = names(forked(cleanedUpMeanwhile()))
    assert(disturbed == names(forked(withoutSnapshot(copy()))))
    assert(disturbed.exists(_.endsWith("1.delta")))
  }

  test("a file of the copy that is damaged is copied again") {
    val (folder, target) = (copyWithIds(), Utils.createTempDir().toPath)
    fork(folder, target)
    val table = filesIn(target).find(_.toString.endsWith(".sst")).get
    val sound = Files.readAllBytes(table)
    Files.write(table, sound.reverse)
    fork(folder, target)
    assert(Files.readAllBytes(table).sameElements(sound))
  }
}

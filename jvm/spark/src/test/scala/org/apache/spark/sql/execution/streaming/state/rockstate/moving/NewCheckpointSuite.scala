package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.io.IOException
import java.net.URI
import java.nio.file.{Files, Path => LocalPath}

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataOutputStream, Path, RawLocalFileSystem}
import org.apache.hadoop.util.Progressable
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.util.Utils

import io.rockstate.errors.{Conflict, Misuse}

class NewCheckpointSuite extends AnyFunSuite {
  private val conf = new Configuration()
  private val root = Utils.createTempDir().toPath.toRealPath()

  private def at(path: LocalPath): NewCheckpoint = new NewCheckpoint(path.toString, conf)
  private def folder(name: String): LocalPath = Files.createDirectory(root.resolve(name))
  private def asSource(path: LocalPath): Path = new Path("file", null, path.toString)

  private def names(path: LocalPath): Set[String] = path.toFile.list().toSet.filterNot(_.endsWith(".crc"))

  test("of two attempts on one folder only the later one finishes") {
    val (old, made) = (asSource(folder("old")), root.resolve("made"))
    val (first, second) = (at(made), at(made))
    first.begin(old)
    second.begin(old)
    intercept[Conflict](first.finish("{}"))
    assert(!names(made)("metadata"))
    second.finish("{}")
    assert(names(made) == Set("metadata"))
  }

  test("an attempt that is overtaken commits nothing") {
    val (old, made) = (asSource(folder("overtaken")), root.resolve("of-two"))
    val (first, second) = (at(made), at(made))
    first.begin(old)
    first.commit(1, "one")
    second.begin(old)
    assert(!names(made)("commits"))
    intercept[Conflict](first.commit(1, "one"))
    assert(!names(made)("commits"))
  }

  test("what fails where another attempt has begun, fails because of that") {
    val (old, made) = (asSource(folder("failing")), root.resolve("overtaken-in-work"))
    val (first, second) = (at(made), at(made))
    first.begin(old)
    val own = new IOException("the disk is full")
    assert(intercept[IOException](first.whileOurs(throw own)) == own)
    second.begin(old)
    val failure = intercept[Conflict](first.whileOurs(throw own))
    assert(failure.problem.startsWith("Another run has begun") && failure.getSuppressed.toSeq == Seq(own))
    intercept[InterruptedException](first.whileOurs(throw new InterruptedException))
  }

  test("of two attempts that meet between a look and a write, none deletes what the other finishes") {
    // What the later one does, between two steps of the earlier one.
    val calls = Seq("rockstate-last", "metadata", "rockstate-attempt")
    for (call <- calls; isBefore <- Seq(true, false)) {
      val name = s"meeting-$call-$isBefore"
      val (old, made) = (asSource(folder(s"$name-old")), root.resolve(name))
      val first = new NewCheckpoint(s"meeting://$made", Meeting.conf)
      val second = at(made)
      val outcome =
        try {
          first.begin(old)
          first.write("state", "of the first")
          Meeting.at(call, isBefore)(second.begin(old))
          Try(first.finish("{}"))
        } finally Meeting.forget()
      withClue(s"$name: $outcome, ${Meeting.outcome}, ${names(made)}: ") {
        val isWhole = names(made)("metadata")
        assert(isWhole == outcome.isSuccess && Meeting.outcome.exists(_.isSuccess) != isWhole)
        if (isWhole) assert(names(made)("state")) else { second.finish("{}"); assert(names(made) == Set("metadata")) }
      }
    }
  }

  test("an attempt that begins while another finishes sees it, or is seen") {
    val (old, made) = (asSource(folder("begun")), root.resolve("finishing"))
    val first = at(made)
    first.begin(old)
    first.write("state", "of the first")
    val second = new NewCheckpoint(s"meeting://$made", Meeting.conf)
    try {
      Meeting.at("rockstate-attempt", isBefore = true)(first.finish("{}"))
      assert(intercept[Misuse](second.begin(old)).problem.contains("finished"))
    } finally Meeting.forget()
    assert(names(made)("metadata") && names(made)("state"))
  }

  test("a checkpoint that is being rolled back is not started over, whatever mark was left in it") {
    Seq("rockstate-rollback", "rockstate-metadata-away").foreach { sign =>
      val (old, used) = (asSource(folder(s"$sign-old")), folder(sign))
      Seq("rockstate-unfinished" -> old.toString, "rockstate-attempt" -> "x", sign -> "{}", "state" -> "precious")
        .foreach { case (name, text) => Files.writeString(used.resolve(name), text) }
      val before = names(used)
      intercept[Misuse](at(used).begin(old))
      assert(names(used) == before)
      assert(new CheckpointFiles(used.toString, conf).madeOf.isEmpty)
    }
  }

  test("an export that is whole is not taken for a checkpoint that was begun, nor the other way round") {
    Seq("manifest.json" -> "metadata", "metadata" -> "manifest.json").foreach { case (whole, other) =>
      val (old, made) = (asSource(folder(s"$whole-old")), folder(s"with-$whole"))
      Seq("rockstate-unfinished" -> old.toString, whole -> "{}", "table" -> "precious").foreach { case (name, text) =>
        Files.writeString(made.resolve(name), text)
      }
      val before = names(made)
      val refused = intercept[Misuse](new NewCheckpoint(made.toString, conf, last = other).begin(old))
      assert(refused.problem.contains("is finished") && names(made) == before)
    }
  }

  test("what was left with a mark and without an attempt is started over") {
    val (old, made) = (asSource(folder("source")), folder("left"))
    Files.writeString(made.resolve("rockstate-unfinished"), old.toString)
    Files.writeString(made.resolve("left-over"), "")
    val again = at(made)
    again.begin(old)
    again.finish("{}")
    assert(names(made) == Set("metadata"))
  }

  test("a folder that a link leads to is not beside itself") {
    val old = folder("linked")
    val link = Files.createSymbolicLink(root.resolve("link"), old)
    intercept[Misuse](at(link.resolve("new")).begin(asSource(old)))
    assert(names(old).isEmpty)
  }

  test("a look at a folder in use refuses it and changes nothing") {
    val (old, used) = (asSource(folder("another")), folder("used"))
    Files.writeString(used.resolve("precious"), "")
    intercept[Misuse](at(used).requireFree(old))
    assert(names(used) == Set("precious"))
  }
}

/** Local files, beside which somebody else does something once. */
private class Meeting extends RawLocalFileSystem {
  override def getUri: URI = URI.create("meeting:///")

  override def create(
      path: Path,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream =
    Meeting.around(path)(super.create(path, overwrite, bufferSize, replication, blockSize, progress))

  override def rename(from: Path, to: Path): Boolean = Meeting.around(to)(super.rename(from, to))
}

private object Meeting {
  val conf: Configuration = new Configuration
  conf.set("fs.meeting.impl", classOf[Meeting].getName)

  private var planned = Option.empty[(String, Boolean, () => Unit)]
  var outcome: Option[Try[Unit]] = None

  /** @param name the file that is created or renamed then */
  def at(name: String, isBefore: Boolean)(what: => Unit): Unit = {
    outcome = None
    planned = Some((name, isBefore, () => what))
  }

  def forget(): Unit = planned = None

  private def around[A](path: Path)(call: => A): A = {
    val meant = planned.filter(_._1 == path.getName)
    if (meant.isDefined) planned = None
    def meet(isBefore: Boolean): Unit = meant.filter(_._2 == isBefore).foreach(m => outcome = Some(Try(m._3())))
    meet(isBefore = true)
    val result = call
    meet(isBefore = false)
    result
  }
}

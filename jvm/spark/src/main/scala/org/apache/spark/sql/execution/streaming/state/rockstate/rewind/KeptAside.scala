package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.io.FileNotFoundException
import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID
import java.util.concurrent.atomic.AtomicBoolean

import scala.util.{Try, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileAlreadyExistsException, Path}
import org.json4s.{Formats, NoTypeHints}
import org.json4s.jackson.Serialization

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.{
  Metadata,
  MetadataAway,
  RollbackJournal
}
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Journal
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamMetadata

import io.rockstate.errors.{CorruptFile, MissingFile, Misuse, Unavailable}
import io.rockstate.files.Parallel
import io.rockstate.inspect.FileTotals

/** What rollbacks have taken out of a checkpoint: each has a folder of its own in it, with the files under their names. While files move
  * there is a journal of it, and the checkpoint's `metadata` is away: Spark 4.2 and later start no query without it.
  *
  * @param moved called for each file that was moved, by several threads
  */
private[rewind] final class KeptAside(checkpoint: Path, hadoopConf: Configuration, moved: () => Unit = () => ()) {
  import KeptAside._

  private implicit val formats: Formats = Serialization.formats(NoTypeHints)
  private val fs = checkpoint.getFileSystem(hadoopConf)
  private val isStopped = new AtomicBoolean

  /** The folders of the rollbacks so far, the oldest first. */
  def folders: Vector[String] =
    try
      fs.listStatus(path(Root)).toVector.flatMap(_.getPath.getName.toIntOption).sorted.map(number => s"$Root/$number")
    catch { case _: FileNotFoundException => Vector.empty }

  def nextFolder: String = s"$Root/${folders.lastOption.fold(1)(_.drop(Root.length + 1).toInt + 1)}"

  /** What was begun and not finished. */
  def journal: Option[Journal] = textOf(RollbackJournal).map(text => Journal.of(text).getOrElse(throw damaged))

  /** Moves files: from before the first until after the last the checkpoint has no `metadata`, and a journal. Refuses if that is of
    * something else, which was cut off or is being done.
    *
    * @param moves is told whether it may have been cut off before
    */
  def journaled(entry: Journal)(moves: Boolean => Unit): Unit = {
    if (isStopped.get) throw stopped
    val isAgain = journal.nonEmpty
    if (!isAgain) write(entry)
    journal.filter(_ != entry).foreach(other => throw cutOff(other))
    if (exists(Metadata)) {
      // Spark before 4.2 starts a query without it, and writes another: the one that is away has the query's id.
      if (isAgain && namesQuery(MetadataAway)) fs.delete(path(Metadata), false)
      // Another run may do the same just now. Where renaming is copying, an earlier one may have left half of it.
      else if (!isRenamed(Metadata, MetadataAway) && exists(Metadata)) {
        fs.delete(path(MetadataAway), false)
        rename(Metadata, MetadataAway)
      }
    }
    moves(isAgain)
    fs.delete(path(RollbackJournal), false)
    rename(MetadataAway, Metadata)
  }

  /** Without a journal all files were moved, and only the last step may be missing: then it is done, and true. */
  def settle(): Boolean = {
    val isMissing = journal.isEmpty && !exists(Metadata) && exists(MetadataAway)
    if (isMissing) rename(MetadataAway, Metadata)
    isMissing
  }

  /** Moves files, each list in its order, and several lists at the same time; returns, or throws the first failure, when none is being
    * moved any more.
    *
    * @param isAgain whether an earlier attempt may have left some at their new place, too
    * @param to      where each goes
    */
  def move(lists: Vector[Vector[String]], isAgain: Boolean)(to: String => String): Unit = {
    // Outer ones first, so that no two threads make the same. There are many more files than folders.
    val parents = lists.iterator.flatten.map(name => above(to(name))).distinct.toVector
    val folders = parents.flatMap(withOuter).distinct.groupBy(_.count(_ == '/'))
    folders.toVector.sortBy(_._1).foreach { case (_, folders) => done(folders)(name => fs.mkdirs(path(name)): Unit) }
    done(lists)(_.foreach(name => move(name, to(name), isAgain)))
  }

  private def move(from: String, to: String, isAgain: Boolean): Unit = {
    if (isStopped.get) throw stopped
    try rename(from, to, isThere = false)
    catch {
      // Only where the old place still has it: else another run that is at it has brought it to the new one.
      case _: Unavailable if isAgain && exists(from) && exists(to) => moveOver(from, to)
    }
    moved()
  }

  /** Where renaming is copying, an earlier attempt may have left half of the file at its new place. That is not deleted before the whole
    * one is there: another run may have brought it just now.
    */
  private def moveOver(from: String, to: String): Unit = {
    val aside = s"$Root/${UUID.randomUUID()}"
    fs.mkdirs(path(Root))
    rename(to, aside, isThere = false)
    rename(from, to, isThere = false)
    if (exists(to)) delete(aside) else rename(aside, to, isThere = false)
  }

  /** No further file is moved: what moves them throws when none is on its way any more. */
  def stop(): Unit = isStopped.set(true)

  /** Does it to all on a few threads. After a failure no other begins. */
  private def done[A](items: Vector[A])(what: A => Unit): Unit = {
    val hasFailed = new AtomicBoolean
    val results = Parallel.map(Threads, items) { item =>
      val result = Try(if (!hasFailed.get) what(item))
      if (result.isFailure) hasFailed.set(true)
      result
    }
    results.foreach(_.get)
  }

  /** The files in a folder, by their names relative to it. Object stores list a thousand or more at a time, whatever their folders. */
  def filesIn(folder: String): Vector[(String, Long)] = {
    val root = s"${path(folder)}/"
    if (!exists(folder)) Vector.empty
    else {
      val files = fs.listFiles(path(folder), true)
      val statuses = Iterator.continually(files).takeWhile(_.hasNext).map(_.next())
      statuses.map(file => file.getPath.toString.stripPrefix(root) -> file.getLen).toVector
    }
  }

  def totals(folder: String): FileTotals = FileTotals.of(filesIn(folder).map(_._2))

  def lengths(names: Vector[String]): Vector[Long] =
    Parallel.map(Threads, names)(name => fs.getFileStatus(path(name)).getLen)

  /** Deletes what all rollbacks have kept. Half of it would be of no use: while it goes there is a file that says so. */
  def forget(): Unit = {
    Using.resource(fs.create(path(Forgetting), true))(_ => ())
    delete(Root)
    if (exists(Root))
      throw new Unavailable("Files could not be deleted", "Run the same again.", Some(path(Root).toString))
    fs.delete(path(Forgetting), false): Unit
  }

  /** Whether it was begun, and not finished. */
  def isForgetting: Boolean = exists(Forgetting)

  def finishForgetting(): Unit = if (isForgetting) forget()

  /** Deletes a folder and all that is in it. */
  def delete(folder: String): Unit = fs.delete(path(folder), true)

  private def exists(name: String): Boolean = fs.exists(path(name))

  private def namesQuery(name: String): Boolean = textOf(name).exists { text =>
    Try(Serialization.read[StreamMetadata](text)).toOption.exists(_.id != null)
  }

  private def textOf(name: String): Option[String] =
    try Some(Using.resource(fs.open(path(name)))(in => new String(in.readAllBytes(), UTF_8)))
    catch { case MissingFile() => None }

  private def path(name: String): Path = new Path(checkpoint, name)

  /** @param isThere whether it has to be */
  private def rename(from: String, to: String, isThere: Boolean = true): Unit =
    if (!isRenamed(from, to) && (isThere || exists(from)))
      throw new Unavailable("A file could not be renamed", "Run the same again.", Some(path(from).toString))

  private def isRenamed(from: String, to: String): Boolean =
    try fs.rename(path(from), path(to))
    catch { case _: FileNotFoundException | _: FileAlreadyExistsException => false }

  /** Whole or not at all: half a journal would tell nothing. */
  private def write(entry: Journal): Unit = {
    Using.resource(fs.create(path(NewJournal), true))(_.write(entry.text.getBytes(UTF_8)))
    rename(NewJournal, RollbackJournal)
  }

  def cutOff(entry: Journal): Misuse = {
    val what = s"${if (entry.isRollback) "A" else "Undoing the"} rollback to batch ${entry.batch}"
    new Misuse(s"$what was cut off [$checkpoint]", s"Finish it first: ${entry.command(checkpoint.toString)}.")
  }

  private def stopped: Unavailable =
    new Unavailable(
      "It was cancelled before all files were moved",
      "Run the same again: it finishes.",
      Some(s"$checkpoint")
    )

  private def damaged: CorruptFile = new CorruptFile(
    "It does not say which rollback was begun",
    s"Delete it and, if there is no file '$Metadata' beside it, rename '$MetadataAway' to that; then run the rollback again.",
    path(RollbackJournal).toString
  )
}

private[rewind] object KeptAside {

  /** They wait for a file system that may be far away. */
  val Threads = 16

  private def above(name: String): String = name.take(name.lastIndexOf('/'))

  private def withOuter(folder: String): Vector[String] = Iterator.iterate(folder)(above).takeWhile(_.nonEmpty).toVector
  val Root = "rockstate-rolled-back"
  private val NewJournal = "rockstate-rollback-new"
  private val Forgetting = "rockstate-forgetting"
}

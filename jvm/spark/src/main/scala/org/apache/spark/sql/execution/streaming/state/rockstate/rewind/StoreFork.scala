package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import scala.annotation.tailrec
import scala.collection.mutable
import scala.util.Using

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state.rockstate.moving.RunMark

import io.rockstate.errors.{Conflict, CorruptFile, NotFound}
import io.rockstate.files.{FileNames, RemoteFile}
import io.rockstate.inspect.{FileTotals, VersionFiles}

/** Copies the files of one version of a store to another checkpoint, and reads all of them there. Runs in a task. */
private[rewind] final class StoreFork(from: String, to: RunMark, store: StoreAt, hadoopConf: Configuration) {
  import StoreFork._

  private val source = store.in(from, hadoopConf)
  private val target = store.in(to.folder, hadoopConf)
  private val published = mutable.Set.empty[String]

  def run(): ForkedStore =
    try copied(Attempts)
    catch { case _: CorruptFile | _: Conflict if to.mayBeOurs(hadoopConf) => copiedAfterReading() }

  /** Another snapshot may be sound: reading all finds it, or names the file that is damaged. What was copied may be what is damaged. */
  private def copiedAfterReading(): ForkedStore =
    copy(new VersionFiles(source, isWhole = true).of(store.commit), isAgain = true)

  /** The query may be running, and clean up what was listed: then there is a later snapshot to begin with. */
  @tailrec
  private def copied(attempts: Int): ForkedStore = {
    val found =
      try Some(copy(new VersionFiles(source, isWhole = false).of(store.commit), isAgain = false))
      catch { case _: NotFound if attempts > 1 => None }
    if (found.isDefined) found.get else copied(attempts - 1)
  }

  private def copy(files: Vector[RemoteFile], isAgain: Boolean): ForkedStore = {
    files.foreach(file => copy(file.name, isAgain))
    new VersionFiles(target, isWhole = true).of(store.commit)
    val (before, after) = (store.rows(source, files), store.rows(target, files))
    if (before.exists(was => after.exists(_ != was)))
      throw new Conflict(
        s"The copy has ${after.get} rows instead of ${before.get}",
        "It is of no use, and the old checkpoint is as it was. Report this with what `rockstate inspect` says of both.",
        Some(target.location),
        Some(store.commit.version)
      )
    ForkedStore(FileTotals.of(files.map(_.length)), before, after, published.toSet -- files.map(_.name))
  }

  /** Names of one attempt alone always stand for the same bytes: where another task has stored them, they stay untouched. */
  private def copy(name: String, isAgain: Boolean): Unit = Using.resources(source.open(name), target.create(name)) {
    (input, output) =>
      input.stream.transferTo(output)
      to.require(hadoopConf)
      val isPlain = FileNames.parse(name).exists(_.version.checkpointId.isEmpty)
      val isOurs = if (isPlain || isAgain) { output.publish(); true }
      else output.publishIfAbsent()
      if (isOurs) published += name
  }
}

private object StoreFork {
  private val Attempts = 3
}

/** What was copied of a store, or would be.
  *
  * @param rows     by its own files; none if the query has cleaned these up meanwhile
  * @param copied   by those of the copy
  * @param leftOver files beside the copy, of attempts that did not get all. A task must not delete them: for another one, which has finished
  *                 the copy, they may be part of it
  */
private[rewind] final case class ForkedStore(
    files: FileTotals,
    rows: Option[Long],
    copied: Option[Long],
    leftOver: Set[String] = Set.empty
)

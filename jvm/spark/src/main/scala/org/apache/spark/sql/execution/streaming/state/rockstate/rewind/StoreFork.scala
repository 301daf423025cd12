package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import scala.annotation.tailrec
import scala.collection.mutable
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.errors.{Conflict, CorruptFile, NotFound}
import io.rockstate.files.{FileNames, RemoteFile}
import io.rockstate.inspect.{FileTotals, VersionFiles}

/** Copies the files of one version of a store to another checkpoint, and reads all of them there. Runs in a task. */
private[rewind] final class StoreFork(from: String, to: String, store: StoreAt, hadoopConf: Configuration) {
  import StoreFork._

  private val source = new SparkRemoteFiles(new Path(from, store.folder), hadoopConf)
  private val target = new SparkRemoteFiles(new Path(to, store.folder), hadoopConf)
  private val published = mutable.Set.empty[String]

  def run(): ForkedStore =
    try copied(Attempts)
    catch { case _: CorruptFile => copiedAfterReading() }

  /** Another snapshot may be sound: reading all finds it, or names the file that is damaged. */
  private def copiedAfterReading(): ForkedStore = {
    val sound = new VersionFiles(source, isWhole = true).of(store.commit)
    keepOnly(sound)
    copy(sound)
  }

  /** Of an attempt that failed there may be files, which are none of the copy's. Those of another task stay: it may have finished the copy. */
  private def keepOnly(files: Vector[RemoteFile]): Unit =
    (published.toSet -- files.map(_.name)).foreach { name =>
      target.delete(name)
      published -= name
    }

  /** The query may be running, and clean up what was listed: then there is a later snapshot to begin with. */
  @tailrec
  private def copied(attempts: Int): ForkedStore = {
    val found =
      try {
        val files = new VersionFiles(source, isWhole = false).of(store.commit)
        if (attempts < Attempts) keepOnly(files)
        Some(copy(files))
      } catch { case _: NotFound if attempts > 1 => None }
    if (found.isDefined) found.get else copied(attempts - 1)
  }

  private def copy(files: Vector[RemoteFile]): ForkedStore = {
    files.foreach(file => copy(file.name))
    new VersionFiles(target, isWhole = true).of(store.commit)
    val (before, after) = (store.rows(source, files), store.rows(target, files))
    if (before.exists(was => after.exists(_ != was)))
      throw new Conflict(
        s"The copy has ${after.get} rows instead of ${before.get}",
        "It is of no use, and the old checkpoint is as it was. Report this with what `rockstate inspect` says of both.",
        Some(target.location),
        Some(store.commit.version)
      )
    ForkedStore(FileTotals.of(files.map(_.length)), before, after)
  }

  /** Names of one attempt alone always stand for the same bytes: where another task has stored them, they stay untouched. */
  private def copy(name: String): Unit = Using.resources(source.open(name), target.create(name)) { (input, output) =>
    input.stream.transferTo(output)
    val isPlain = FileNames.parse(name).exists(_.version.checkpointId.isEmpty)
    val isOurs = if (isPlain) { output.publish(); true }
    else output.publishIfAbsent()
    if (isOurs) published += name
  }
}

private object StoreFork {
  private val Attempts = 3
}

/** What was copied of a store, or would be.
  *
  * @param rows   by its own files; none if the query has cleaned these up meanwhile
  * @param copied by those of the copy
  */
private[rewind] final case class ForkedStore(files: FileTotals, rows: Option[Long], copied: Option[Long])

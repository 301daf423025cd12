package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import scala.annotation.tailrec
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.errors.{CorruptFile, NotFound}
import io.rockstate.files.{FileNames, RemoteFile}
import io.rockstate.inspect.{FileTotals, VersionFiles}

/** Copies the files of one version of a store to another checkpoint, and reads all of them there. Runs in a task. */
private[rewind] final class StoreFork(from: String, to: String, store: StoreAt, hadoopConf: Configuration) {
  import StoreFork._

  private val source = new SparkRemoteFiles(new Path(from, store.folder), hadoopConf)
  private val target = new SparkRemoteFiles(new Path(to, store.folder), hadoopConf)

  def run(): FileTotals =
    try copied(Attempts)
    catch { case _: CorruptFile => copiedAfterReading() }

  /** Another snapshot may be sound: reading all finds it, or names the file that is damaged. */
  private def copiedAfterReading(): FileTotals = {
    val sound = new VersionFiles(source, isWhole = true).of(store.commit)
    val tables = target.list(FileNames.TableFolder).map(table => FileNames.inTableFolder(table.name))
    (target.list("").map(_.name) ++ tables).diff(sound.map(_.name)).foreach(target.delete)
    copy(sound)
  }

  /** The query may be running, and clean up what was listed: then there is a later snapshot to begin with. */
  @tailrec
  private def copied(attempts: Int): FileTotals = {
    val found =
      try Some(copy(new VersionFiles(source, isWhole = false).of(store.commit)))
      catch { case _: NotFound if attempts > 1 => None }
    if (found.isDefined) found.get else copied(attempts - 1)
  }

  private def copy(files: Vector[RemoteFile]): FileTotals = {
    files.foreach(file => copy(file.name))
    new VersionFiles(target, isWhole = true).of(store.commit)
    FileTotals.of(files.map(_.length))
  }

  private def copy(name: String): Unit = Using.resources(source.open(name), target.create(name)) { (input, output) =>
    input.stream.transferTo(output)
    output.publish()
  }
}

private object StoreFork {
  private val Attempts = 3
}

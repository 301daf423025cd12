package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileUtil, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.{Metadata, UnfinishedMark}

import io.rockstate.errors.{Misuse, Unavailable}

/** The folder that a checkpoint is made in. Until all is there it has a file that says so, and no `metadata`: Spark does not start a
  * query on it.
  */
private[rockstate] final class NewCheckpoint(location: String, hadoopConf: Configuration) {
  import NewCheckpoint._

  private val files = new CheckpointFiles(location, hadoopConf)
  val folder: Path = files.folder
  private val fs = folder.getFileSystem(hadoopConf)

  /** Refuses a folder that has anything in it but an earlier attempt to move the same checkpoint, which goes.
    *
    * @param source the checkpoint that is moved
    */
  def begin(source: Path): Unit = {
    if (isWithin(folder, source) || isWithin(source, folder))
      throw new Misuse(
        s"$folder and $source are not two folders beside each other",
        "Give the new checkpoint a folder of its own."
      )
    val found = files.list("").map(_.getPath).filterNot(_.getName == UnfinishedMark)
    val before = files.madeOf
    val isLeftOver = before.contains(source.toString)
    if (found.nonEmpty && !isLeftOver) throw inUse(before)
    found.foreach(fs.delete(_, true)) // the mark stays as it is, in case that this is cut off, too
    if (!isLeftOver) write(UnfinishedMark, source.toString, overwrite = true)
  }

  private def inUse(before: Option[String]): Misuse =
    if (files.exists(UnfinishedMark) && files.exists(Metadata)) {
      // A query may have been started on it.
      fs.delete(new Path(folder, UnfinishedMark), false)
      new Misuse(
        s"$folder is finished: an earlier run was cut off when only its mark was left, which is gone now",
        "Start the query on it, or give a folder that is empty or not there."
      )
    } else
      new Misuse(
        before.fold(s"$folder is not empty")(other => s"$folder has what was made of $other"),
        "Give a folder that is empty or not there."
      )

  /** All is there: from now on it is a checkpoint.
    *
    * @param metadata with the query's id
    */
  def finish(metadata: String): Unit = {
    write(Written, metadata, overwrite = true)
    if (!fs.rename(new Path(folder, Written), new Path(folder, Metadata)))
      throw new Unavailable("A file could not be renamed", "Run the same again.", Some(s"$folder/$Written"))
    fs.delete(new Path(folder, UnfinishedMark), false)
  }

  def write(name: String, text: String, overwrite: Boolean = false): Unit =
    Using.resource(fs.create(new Path(folder, name), overwrite))(_.write(text.getBytes(UTF_8)))

  /** Copies a file, or a folder with all that is in it, if it is there. */
  def copy(from: Path, name: String): Unit = {
    val source = from.getFileSystem(hadoopConf)
    if (source.exists(from)) {
      val to = new Path(folder, name)
      fs.mkdirs(to.getParent)
      FileUtil.copy(source, from, fs, to, false, false, hadoopConf)
    }
  }
}

private object NewCheckpoint {
  private val Written = "rockstate-metadata"

  private def isWithin(inner: Path, outer: Path): Boolean = s"$inner/".startsWith(s"$outer/")
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.io.FileNotFoundException
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileUtil, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles

import io.rockstate.errors.{Misuse, Unavailable}

/** The folder that something is made in of a checkpoint. Until all is there it has a file that says so; of a new checkpoint `metadata`
  * comes last, without which Spark does not start a query on it, of an export the manifest.
  */
private[rockstate] final class NewCheckpoint(location: String, hadoopConf: Configuration) {
  import NewCheckpoint._

  private val files = new CheckpointFiles(location, hadoopConf)
  val folder: Path = files.folder
  private val fs = folder.getFileSystem(hadoopConf)

  /** Refuses a folder that has anything in it but an earlier attempt to make something of the same checkpoint, which goes.
    *
    * @param source the checkpoint
    */
  def begin(source: Path): Unit = {
    if (isWithin(folder, source) || isWithin(source, folder))
      throw new Misuse(
        s"$folder and $source are not two folders beside each other",
        "Give what is new a folder of its own."
      )
    val found = files.list("").map(_.getPath).filterNot(_.getName == Unfinished)
    val before = textOf(Unfinished)
    // What comes last says that it is whole, whatever the mark says.
    val isLeftOver = before.contains(source.toString) && !found.exists(file => Last(file.getName))
    if (found.nonEmpty && !isLeftOver)
      throw new Misuse(
        before.filterNot(_ == source.toString).fold(s"$folder is not empty")(o => s"$folder has what was made of $o"),
        "Give a folder that is empty or not there."
      )
    found.foreach(fs.delete(_, true)) // the mark stays, in case that this is cut off, too
    write(Unfinished, source.toString, overwrite = true)
  }

  /** All is there: from now on it is a checkpoint. */
  def finish(metadata: Path): Unit = {
    copy(metadata, Incoming)
    become(Metadata)
  }

  /** All is there: from now on it is an export. */
  def finish(manifest: String): Unit = {
    write(Incoming, manifest)
    become(Manifest)
  }

  private def become(last: String): Unit = {
    if (!fs.rename(new Path(folder, Incoming), new Path(folder, last)))
      throw new Unavailable("A file could not be renamed", "Run the same again.", Some(s"$folder/$Incoming"))
    fs.delete(new Path(folder, Unfinished), false)
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

  private def textOf(name: String): Option[String] =
    try Some(Using.resource(fs.open(new Path(folder, name)))(in => new String(in.readAllBytes(), UTF_8)))
    catch { case _: FileNotFoundException => None }
}

private object NewCheckpoint {
  private val Unfinished = "rockstate-unfinished"
  private val Metadata = "metadata"
  private val Manifest = "manifest.json"
  private val Last = Set(Metadata, Manifest)
  private val Incoming = "rockstate-last"

  private def isWithin(inner: Path, outer: Path): Boolean = s"$inner/".startsWith(s"$outer/")
}

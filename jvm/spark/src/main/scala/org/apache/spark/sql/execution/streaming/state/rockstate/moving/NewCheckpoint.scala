package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileUtil, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.{
  Metadata,
  Readable,
  UnfinishedMark
}

import io.rockstate.errors.{Misuse, Unavailable}

/** The folder that something is made in of a checkpoint. Until all is there it has a file that says so; of a new checkpoint `metadata`
  * comes last, without which Spark does not start a query on it, of an export the manifest.
  *
  * @param last the name of the file that comes last
  */
private[rockstate] final class NewCheckpoint(location: String, hadoopConf: Configuration, last: String = Metadata) {
  import NewCheckpoint._

  private val files = new CheckpointFiles(location, hadoopConf)
  val folder: Path = files.folder
  private val fs = folder.getFileSystem(hadoopConf)

  /** Refuses a folder that has anything in it but an earlier attempt to make something of the same checkpoint, which goes.
    *
    * @param source the checkpoint
    * @param first  of a new checkpoint the first entry of its offset log, and its text: without `metadata` beside it Spark 4.2 and later
    *               start no query on it. So it comes before the mark.
    */
  def begin(source: Path, first: Option[(String, String)] = None): Unit = {
    if (isWithin(folder, source) || isWithin(source, folder))
      throw new Misuse(
        s"$folder and $source are not two folders beside each other",
        "Give what is new a folder of its own."
      )
    val found = files.list("").map(_.getPath).filterNot(_.getName == UnfinishedMark)
    val before = files.madeOf
    // What comes last says that it is whole, whatever the mark says.
    val isMarked = before.contains(source.toString)
    val isLeftOver = !files.exists(last) && (isMarked || first.exists(entry => isAll(found, entry)))
    if (found.nonEmpty && !isLeftOver) throw inUse(before)
    // Both stay from now on, in case that this is cut off, too.
    first.foreach { case (name, text) => write(name, text, overwrite = true) }
    if (!isMarked) write(UnfinishedMark, source.toString, overwrite = true)
    val kept = first.map { case (name, _) => new Path(folder, name) }
    found.flatMap(path => if (kept.exists(_.getParent == path)) within(path) else Vector(path)).foreach { path =>
      if (!kept.contains(path)) fs.delete(path, true)
    }
  }

  /** The same of a checkpoint, with these entries of its offset log. */
  def beginWithLog(source: Path, planned: Vector[(Long, String)]): Unit = {
    val entries = planned.map { case (number, entry) => s"offsets/$number" -> entry }
    begin(source, entries.headOption)
    entries.drop(1).foreach { case (name, entry) => write(name, entry) }
  }

  /** Whether nothing is in the folder but an entry that was just begun. */
  private def isAll(found: Vector[Path], entry: (String, String)): Boolean = {
    val (name, text) = entry
    val path = new Path(folder, name)
    found.forall(within(_).forall(_ == path)) && // a query that Spark refused may have left empty folders
    (files.read(name)(in => new String(in.readAllBytes(), UTF_8)) match {
      case Readable(written) => text.startsWith(written)
      case _ => true
    })
  }

  private def within(path: Path): Vector[Path] = files.list(path.getName).map(_.getPath)

  private def inUse(before: Option[String]): Misuse =
    if (files.exists(UnfinishedMark) && files.exists(last)) {
      // Somebody may have begun to use it.
      fs.delete(new Path(folder, UnfinishedMark), false)
      new Misuse(
        s"$folder is finished: an earlier run was cut off when only its mark was left, which is gone now",
        "Use it, or give a folder that is empty or not there."
      )
    } else
      new Misuse(
        before.fold(s"$folder is not empty")(other => s"$folder has what was made of $other"),
        "Give a folder that is empty or not there."
      )

  /** All is there.
    *
    * @param text of the file that comes last
    */
  def finish(text: String): Unit = {
    write(Incoming, text, overwrite = true)
    if (!fs.rename(new Path(folder, Incoming), new Path(folder, last)))
      throw new Unavailable("A file could not be renamed", "Run the same again.", Some(s"$folder/$Incoming"))
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
  private val Incoming = "rockstate-last"

  private def isWithin(inner: Path, outer: Path): Boolean = s"$inner/".startsWith(s"$outer/")
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileUtil, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.{
  Metadata,
  Readable,
  UnfinishedMark
}

import io.rockstate.errors.{Misuse, OnFailure, Unavailable}

/** The folder that something is made in of a checkpoint. Until all is there it has a file that says so; of a new checkpoint `metadata`
  * comes last, without which Spark does not start a query on it, of an export the manifest.
  *
  * @param last the name of the file that comes last
  */
private[rockstate] final class NewCheckpoint(location: String, hadoopConf: Configuration, last: String = Metadata) {
  import NewCheckpoint._

  private val files = new CheckpointFiles(location, hadoopConf)
  val folder: Path = files.folder
  val mark: RunMark = RunMark(folder.toString, Attempt)
  private val fs = folder.getFileSystem(hadoopConf)

  /** Refuses a folder that has anything in it but an earlier attempt to make something of the same checkpoint, which goes.
    *
    * @param source the checkpoint
    * @param first  of a new checkpoint the first entry of its offset log, and its text: without `metadata` beside it Spark 4.2 and later
    *               start no query on it. So it comes before the mark.
    */
  def begin(source: Path, first: Option[(String, String)] = None): Unit = {
    // Somebody may have begun to use what is whole.
    if (files.exists(UnfinishedMark) && files.exists(last)) forgetMarks()
    requireFree(source, first)
    val found = content
    // These stay from now on, in case that this is cut off, too.
    first.foreach { case (name, text) => write(name, text, overwrite = true) }
    if (!isMarked(source)) write(UnfinishedMark, source.toString, overwrite = true)
    write(Attempt, mark.id, overwrite = true)
    // Either this sees that another attempt has finished just now, or that one sees this.
    if (files.exists(last)) throw inUse(None)
    val kept = first.map { case (name, _) => new Path(folder, name) }
    found.flatMap(path => if (kept.exists(_.getParent == path)) within(path) else Vector(path)).foreach { path =>
      if (!kept.contains(path)) fs.delete(path, true)
    }
  }

  /** Throws if `begin` would. */
  def requireFree(source: Path, first: Option[(String, String)] = None): Unit = {
    if (isWithin(folder, source) || isWithin(source, folder))
      throw new Misuse(
        s"$folder and $source are not two folders beside each other",
        "Give what is new a folder of its own."
      )
    val found = content
    // What comes last says that it is whole, whatever the mark says.
    val isLeftOver = whole.isEmpty && (isMarked(source) || first.exists(entry => isAll(found, entry)))
    if (found.nonEmpty && !isLeftOver) throw inUse(files.madeOf)
  }

  /** What came last, if all is there: of another kind of command, perhaps. */
  private def whole: Option[String] = Seq(Metadata, Manifest).find(files.exists)

  private def isMarked(source: Path): Boolean = files.madeOf.contains(source.toString)

  /** What is there but the marks. */
  private def content: Vector[Path] =
    files.list("").map(_.getPath).filterNot(path => Set(UnfinishedMark, Attempt)(path.getName))

  /** Throws if `beginWithLog` would. */
  def requireFreeForLog(source: Path, planned: Vector[(Long, String)]): Unit =
    requireFree(source, entries(planned).headOption)

  private def entries(planned: Vector[(Long, String)]): Vector[(String, String)] =
    planned.map { case (number, entry) => s"offsets/$number" -> entry }

  /** The same of a checkpoint, with these entries of its offset log. */
  def beginWithLog(source: Path, planned: Vector[(Long, String)]): Unit = {
    begin(source, entries(planned).headOption)
    entries(planned).drop(1).foreach { case (name, entry) => write(name, entry) }
  }

  /** Whether nothing is in the folder but an entry that was just begun. */
  private def isAll(found: Vector[Path], entry: (String, String)): Boolean = {
    val (name, text) = entry
    val path = new Path(folder, name)
    found.forall(within(_).forall(_ == path)) && // a query that Spark refused may have left empty folders
    (files.text(name) match {
      case Readable(written) => text.startsWith(written)
      case _ => true
    })
  }

  private def within(path: Path): Vector[Path] = files.list(path.getName).map(_.getPath)

  private def inUse(before: Option[String]): Misuse = whole match {
    case Some(Metadata) =>
      new Misuse(
        s"The checkpoint in $folder is finished, or a query uses it",
        "Use it, or give a folder that is empty or not there."
      )
    case Some(manifest) =>
      new Misuse(
        s"The export in $folder is finished: $manifest is there",
        "Use it, or give a folder that is empty or not there; to replace it delete the folder first."
      )
    case None =>
      new Misuse(
        before.fold(s"$folder is not empty")(other => s"$folder has what was made of $other"),
        "Give a folder that is empty or not there."
      )
  }

  /** Does what is done in the folder once it is begun. */
  def whileOurs[T](body: => T): T = mark.whileOurs(hadoopConf)(body)

  /** The commit of a batch whose state is there. Throws if another attempt has begun meanwhile: it has deleted what this one wrote. */
  def commit(batch: Long, text: String): Unit = {
    requireOurs()
    write(s"commits/$batch", text)
  }

  /** All is there. Throws if another attempt has begun meanwhile.
    *
    * @param text of the file that comes last
    */
  def finish(text: String): Unit = {
    requireOurs()
    write(Incoming, text, overwrite = true)
    if (!fs.rename(new Path(folder, Incoming), new Path(folder, last)))
      throw new Unavailable("A file could not be renamed", "Run the same again.", Some(s"$folder/$Incoming"))
    OnFailure(fs.delete(new Path(folder, last), false): Unit) {
      // Who begins and finds it whole only takes the marks away.
      if (mark.isAnothers(hadoopConf)) throw mark.overtaken
    }
    forgetMarks()
  }

  /** Throws if another attempt has begun meanwhile. */
  def requireOurs(): Unit = mark.require(hadoopConf)

  def isOurs: Boolean = mark.isOurs(hadoopConf)

  /** The mark goes last: with `last` it says what is left to do. */
  private def forgetMarks(): Unit =
    Vector(Attempt, UnfinishedMark).foreach(name => fs.delete(new Path(folder, name), false))

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

private[rockstate] object NewCheckpoint {

  /** What comes last of an export. */
  val Manifest = "manifest.json"

  private val Incoming = "rockstate-last"

  /** In an unfinished folder: which attempt is at work in it. */
  private val Attempt = "rockstate-attempt"

  private def isWithin(inner: Path, outer: Path): Boolean = s"${followed(inner)}/".startsWith(s"${followed(outer)}/")

  /** With the links of a local file system followed, as far as the path is there. */
  private def followed(path: Path): Path =
    if (path.toUri.getScheme != "file") path
    else {
      val whole = Paths.get(path.toUri.getPath)
      val there = Iterator.iterate(whole)(_.getParent).find(Files.exists(_)).get
      new Path("file", null, there.toRealPath().resolve(there.relativize(whole)).toString)
    }
}

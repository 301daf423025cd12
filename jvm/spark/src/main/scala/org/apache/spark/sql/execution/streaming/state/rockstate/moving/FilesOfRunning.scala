package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import io.rockstate.errors.MissingFile

/** Files of a checkpoint whose query may be running. What it is still writing has a name with a dot before it and is left out, and so is
  * what it has deleted meanwhile.
  */
private[rockstate] final class FilesOfRunning(checkpoint: Path, hadoopConf: Configuration) {
  private val fs = checkpoint.getFileSystem(hadoopConf)

  /** Hands over each file in these files and folders, by its path and its name in the checkpoint. */
  def each(names: Iterable[String])(use: (Path, String) => Unit): Unit =
    names.filterNot(_.startsWith(".")).foreach { name =>
      unlessGone(fs.getFileStatus(new Path(checkpoint, name))).foreach { found =>
        if (found.isDirectory) each(within(found).map(file => s"$name/${file.getPath.getName}"))(use)
        else unlessGone(use(found.getPath, name))
      }
    }

  private def within(folder: FileStatus): Vector[FileStatus] =
    unlessGone(fs.listStatus(folder.getPath).toVector)
      .getOrElse(Vector.empty)
      .filterNot(_.getPath.getName.startsWith("."))

  private def unlessGone[T](found: => T): Option[T] =
    try Some(found)
    catch { case MissingFile() => None }
}

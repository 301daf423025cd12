package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.FileNotFoundException
import java.util.concurrent.ConcurrentHashMap

import scala.annotation.tailrec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.execution.streaming.checkpointing.{
  CheckpointFileManager,
  FileSystemBasedCheckpointFileManager
}

import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** A store's folder through Spark's `CheckpointFileManager`, so that the manager a user configured for the checkpoint
  * (`spark.sql.streaming.checkpointFileManagerClass`) writes our files too.
  */
private[rockstate] final class SparkRemoteFiles(storeFolder: Path, hadoopConf: Configuration) extends RemoteFiles {
  private val manager = CheckpointFileManager.create(storeFolder, hadoopConf)
  private val madeFolders = ConcurrentHashMap.newKeySet[Path]()

  override val location: String = storeFolder.toString

  override def create(name: String): RemoteOutput = {
    val path = pathOf(name)
    guard(name, s"create $name") {
      makeFolder(path.getParent)
      new SparkRemoteOutput(manager.createAtomic(path, overwriteIfPossible = true), beforePublish(path), location, name)
    }
  }

  override def open(name: String): RemoteInput = {
    val path = pathOf(name)
    guard(name, s"open $name") {
      patiently(attempts = 5) {
        val length = lengthOf(path)
        new RemoteInput(new SparkRemoteInput(manager.open(path), location, name), length)
      }
    }
  }

  override def list(folder: String): Seq[RemoteFile] = {
    val path = if (folder.isEmpty) storeFolder else pathOf(folder)
    guard(folder, s"list the files of '$folder'") {
      listOrEmpty(path).toSeq.filter(isPublished).map { status =>
        RemoteFile(status.getPath.getName, status.getLen, status.getModificationTime)
      }
    }
  }

  override def delete(name: String): Unit = {
    val path = pathOf(name)
    guard(name, s"delete $name")(manager.delete(path))
  }

  private def guard[A](name: String, doing: String)(body: => A): A = StorageFailure.guard(location, name, doing)(body)

  private def pathOf(name: String): Path = {
    FileNames.requireInside(name)
    new Path(storeFolder, name)
  }

  private def makeFolder(folder: Path): Unit =
    if (!madeFolders.contains(folder)) {
      manager.mkdirs(folder)
      madeFolders.add(folder)
    }

  /** Spark's manager over `FileSystem` renames without replacing: on HDFS and its like the old file would stay, and in silence. A crash
    * between the two steps leaves neither file; only this fallback manager has that gap.
    */
  private def beforePublish(path: Path): () => Unit = manager match {
    case renaming: FileSystemBasedCheckpointFileManager => () => if (renaming.exists(path)) renaming.delete(path)
    case _ => () => ()
  }

  /** Hadoop's local file system and the manager over `FileSystem` replace a file by deleting it first: one that is missing may be there
    * again a moment later.
    */
  @tailrec
  private def patiently[A](attempts: Int)(find: => A): A = {
    val found =
      try Some(find)
      catch { case e: Exception if attempts > 1 && StorageFailure.isMissing(e) => None }
    if (found.isDefined) found.get
    else {
      Thread.sleep(SparkRemoteFiles.ReplacementMillis)
      patiently(attempts - 1)(find)
    }
  }

  private def lengthOf(path: Path): Long = {
    val status = manager.list(path).find(status => status.isFile && status.getPath.getName == path.getName)
    status.getOrElse(throw new FileNotFoundException(path.toString)).getLen
  }

  private def listOrEmpty(folder: Path): Array[FileStatus] =
    try manager.list(folder)
    catch { case e: Exception if StorageFailure.isMissing(e) => Array.empty }

  /** Managers that write and rename, and Hadoop's checksum files, use names that start with a dot. */
  private def isPublished(status: FileStatus): Boolean = status.isFile && !status.getPath.getName.startsWith(".")
}

private object SparkRemoteFiles {

  /** A delete and a rename on a local disk take less, even where Hadoop starts a process for each. */
  private val ReplacementMillis = 20L
}

package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.FileNotFoundException
import java.util.concurrent.ConcurrentHashMap

import scala.annotation.tailrec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager

import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** A store's folder through Spark's `CheckpointFileManager`, so that the manager a user configured for the checkpoint
  * (`spark.sql.streaming.checkpointFileManagerClass`) writes our files too.
  */
private[rockstate] final class SparkRemoteFiles(storeFolder: Path, hadoopConf: Configuration) extends RemoteFiles {
  private val manager = CheckpointFileManager.create(storeFolder, hadoopConf)
  private val writes = new AtomicWrites(storeFolder, hadoopConf, manager)
  private val madeFolders = ConcurrentHashMap.newKeySet[Path]()
  @volatile private var replacements =
    Map.empty[String, Vector[Path]] // by the name they stand for, as of the last listing

  override val location: String = storeFolder.toString

  override def create(name: String): RemoteOutput = {
    val path = pathOf(name)
    StorageFailure.guardWrite(location, name, s"create $name") {
      makeFolder(path.getParent)
      new SparkRemoteOutput(writes.to(path, isReplaceable(name)), location, name)
    }
  }

  override def open(name: String): RemoteInput = {
    val path = pathOf(name)
    guard(name, s"open $name") {
      patiently(attempts = 5) {
        val found = fileAt(path, name)
        new RemoteInput(new SparkRemoteInput(manager.open(found.getPath), location, name), found.getLen)
      }
    }
  }

  /** One call, where `open` lists first; a file that is just being replaced takes as many as there. */
  override def openStart(name: String): RemoteInput = {
    val path = pathOf(name)
    guard(name, s"open $name") {
      try new RemoteInput(new SparkRemoteInput(manager.open(path), location, name), RemoteInput.UnknownLength)
      catch { case e: Exception if StorageFailure.isMissing(e) => open(name) }
    }
  }

  override def list(folder: String): Seq[RemoteFile] = {
    if (folder.nonEmpty) FileNames.requireInside(folder)
    guard(folder, s"list the files of '$folder'") {
      listed(folder).published.toSeq.map { case (name, status) =>
        RemoteFile(name, status.getLen, status.getModificationTime)
      }
    }
  }

  /** Replacements go first, or else one of them would stand for the file. Those that came after the last listing show in the next. */
  override def delete(name: String): Unit = {
    val path = pathOf(name)
    StorageFailure.guardWrite(location, name, s"delete $name") {
      replacements.getOrElse(name, Vector.empty).foreach(manager.delete)
      manager.delete(path)
    }
  }

  override def leftovers(): Seq[RemoteFile] =
    Seq("", FileNames.TableFolder).flatMap { folder =>
      guard(folder, s"list the temporary files of '$folder'") {
        listed(folder).leftovers.map { status =>
          val name = status.getPath.getName
          val inStore = if (folder.isEmpty) name else s"$folder/$name"
          RemoteFile(inStore, status.getLen, status.getModificationTime)
        }
      }
    }

  override def deleteLeftover(file: RemoteFile): Unit =
    StorageFailure.guardWrite(location, file.name, s"delete ${file.name}")(
      manager.delete(new Path(storeFolder, file.name))
    )

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

  /** A file that is replaced changes its name, and moves: one that is missing may be there again a moment later. */
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

  private def fileAt(path: Path, name: String): FileStatus =
    listOrEmpty(path)
      .find(status => status.isFile && status.getPath.getName == path.getName)
      .orElse(Option.when(isReplaceable(name))(listed("")).flatMap(_.published.get(name)))
      .getOrElse(throw new FileNotFoundException(path.toString))

  /** Whether several attempts write a file of this name. */
  private def isReplaceable(name: String): Boolean = FileNames.parse(name).exists(_.version.checkpointId.isEmpty)

  private def listed(folder: String): FolderListing = {
    val listing = new FolderListing(listOrEmpty(if (folder.isEmpty) storeFolder else new Path(storeFolder, folder)))
    if (folder.isEmpty) replacements = listing.replacementPaths
    listing
  }

  private def listOrEmpty(folder: Path): Array[FileStatus] =
    try manager.list(folder)
    catch { case e: Exception if StorageFailure.isMissing(e) => Array.empty }
}

private object SparkRemoteFiles {

  /** A rename on a local disk takes less, even where Hadoop starts a process for each. */
  private val ReplacementMillis = 20L
}

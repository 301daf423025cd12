package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{FileNotFoundException, InputStream}
import java.util.concurrent.ConcurrentHashMap

import scala.annotation.tailrec

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager.RenameHelperMethods

import io.rockstate.files.{DeltaName, FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput, SnapshotName}

/** A store's folder through Spark's `CheckpointFileManager`, so that the manager a user configured for the checkpoint
  * (`spark.sql.streaming.checkpointFileManagerClass`) writes our files too.
  */
private[rockstate] final class SparkRemoteFiles(storeFolder: Path, hadoopConf: Configuration) extends RemoteFiles {
  private val objectStore = ObjectStore.of(storeFolder, hadoopConf)
  private val writeWhile = WriteWhile.in(hadoopConf)
  private lazy val localDisk = LocalDisk.of(storeFolder, hadoopConf)
  private lazy val writer = CheckpointFileManager.create(storeFolder, hadoopConf)

  /** Lists, opens and deletes. */
  private val manager: CheckpointFileManager = objectStore.fold(writer)(_.manager)
  private val madeFolders = ConcurrentHashMap.newKeySet[Path]()
  private val listings = new ConcurrentHashMap[String, Listed]() // by folder, the last of each

  override val location: String = storeFolder.toString

  override def create(name: String): RemoteOutput = {
    val path = pathOf(name)
    StorageFailure.guardWrite(location, name, s"create $name") {
      makeFolder(path.getParent)
      val isShared = isReplaceable(name)
      val requireOurs = () => if (isShared) writeWhile.foreach(_.require(hadoopConf))
      new SparkRemoteOutput(writeTo(path, isShared), location, name, requireOurs)
    }
  }

  /** One that never changes and was listed takes one call; another is listed first. */
  override def open(name: String): RemoteInput = known(name) match {
    case Some(listed) => orPatiently(name)(openKnown(name, listed))
    case None => guard(name, s"open $name")(openListed(name))
  }

  /** One call. */
  override def openUnmeasured(name: String): RemoteInput = orPatiently(name) {
    known(name).fold(input(name, manager.open(pathOf(name)), RemoteInput.UnknownLength))(openKnown(name, _))
  }

  override def list(folder: String): Seq[RemoteFile] = {
    if (folder.nonEmpty) FileNames.requireInside(folder)
    guard(folder, s"list the files of '$folder'") {
      listed(folder).files
    }
  }

  /** Replacements go first, or else one of them would stand for the file. Those that came after the last listing show in the next. */
  override def delete(name: String): Unit =
    StorageFailure.guardWrite(location, name, s"delete $name")(allOf(name).foreach(manager.delete))

  override def deleteAll(names: Seq[String]): Unit = objectStore.filter(_.deletesMany) match {
    case Some(store) if names.nonEmpty =>
      StorageFailure.guardWrite(location, names.head, s"delete ${names.size} files, the first of them ${names.head},")(
        store.delete(names.flatMap(allOf))
      )
    case _ => names.foreach(delete)
  }

  override def leftovers(): Seq[RemoteFile] = Seq("", FileNames.TableFolder).flatMap { folder =>
    if (!listings.containsKey(folder)) list(folder): Unit
    val found = listings.get(folder).leftovers
    if (folder.isEmpty) found else found.map(file => file.copy(name = s"$folder/${file.name}"))
  }

  override def deleteLeftover(file: RemoteFile): Unit =
    StorageFailure.guardWrite(location, file.name, s"delete ${file.name}")(
      manager.delete(new Path(storeFolder, file.name))
    )

  private def openListed(name: String): RemoteInput = patiently(attempts = 5) {
    val found = fileAt(pathOf(name), name)
    input(name, manager.open(found.getPath), found.getLen)
  }

  private def openKnown(name: String, listed: FileStatus): RemoteInput =
    input(name, objectStore.fold[InputStream](manager.open(listed.getPath))(_.open(listed)), listed.getLen)

  private def input(name: String, stream: InputStream, length: Long): RemoteInput =
    new RemoteInput(new SparkRemoteInput(stream, location, name), length)

  /** What looks for a file in the way that costs least may miss one that is just being replaced: then it is looked for patiently. */
  private def orPatiently(name: String)(quickly: => RemoteInput): RemoteInput = guard(name, s"open $name") {
    try quickly
    catch { case e: Exception if StorageFailure.isMissing(e) => openListed(name) }
  }

  private def guard[A](name: String, doing: String)(body: => A): A = StorageFailure.guard(location, name, doing)(body)

  private def pathOf(name: String): Path = {
    FileNames.requireInside(name)
    new Path(storeFolder, name)
  }

  private def makeFolder(folder: Path): Unit =
    if (!madeFolders.contains(folder)) {
      localDisk.fold(manager.mkdirs(folder))(_.makeFolder(folder))
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
      .orElse(Option.when(mayBeReplaced(name))(listed("")).flatMap(_.published.get(name)))
      .getOrElse(throw new FileNotFoundException(path.toString))

  private def listed(folder: String): FolderListing = {
    val listing = new FolderListing(listOrEmpty(if (folder.isEmpty) storeFolder else new Path(storeFolder, folder)))
    listings.put(folder, listing.toKeep)
    listing
  }

  /** The file as it was last listed, if it never changes. */
  private def known(name: String): Option[FileStatus] =
    Option(listings.get("")).flatMap(_.forever.get).flatMap(_.get(name))

  /** The paths under which a name's bytes are, or may come to be, the plain one last. */
  private def allOf(name: String): Vector[Path] = {
    val path = pathOf(name)
    Option(listings.get("")).flatMap(_.replacements.get(name)).getOrElse(Vector.empty) :+ path
  }

  private def writeTo(path: Path, isShared: Boolean): AtomicWrite =
    objectStore
      .filterNot(_ => isShared)
      .map(_.writeTo(path))
      .orElse(localDisk.map(_.writeTo(path)))
      .getOrElse(byManager(path))

  private def byManager(path: Path): AtomicWrite = writer match {
    case renaming: CheckpointFileManager with RenameHelperMethods => new RenamedWrite(renaming, path)
    case _ => new OneStepWrite(writer.createAtomic(path, overwriteIfPossible = true))
  }

  /** Whether several attempts write a file of this name. */
  private def isReplaceable(name: String): Boolean = FileNames.parse(name).exists(_.version.checkpointId.isEmpty)

  /** Whether it can be there under another name: a snapshot with a checkpoint id may be stored by two executors, one after the other. */
  private def mayBeReplaced(name: String): Boolean = FileNames.parse(name).exists {
    case DeltaName(version) => version.checkpointId.isEmpty
    case _: SnapshotName => true
  }

  private def listOrEmpty(folder: Path): Array[FileStatus] =
    try manager.list(folder)
    catch { case e: Exception if StorageFailure.isMissing(e) => Array.empty }
}

private object SparkRemoteFiles {

  /** A rename on a local disk takes less, even where Hadoop starts a process for each. */
  private val ReplacementMillis = 20L
}

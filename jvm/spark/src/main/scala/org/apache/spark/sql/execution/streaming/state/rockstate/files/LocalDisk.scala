package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{File, FileOutputStream, OutputStream}
import java.nio.file.{FileAlreadyExistsException, FileSystemException, Files, Path => LocalPath, StandardCopyOption}
import java.nio.file.attribute.{PosixFileAttributeView, PosixFilePermissions}

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileContext, FileSystem, Path}
import org.apache.hadoop.fs.local.LocalFs
import org.apache.hadoop.fs.permission.FsPermission

import org.apache.spark.sql.internal.SQLConf

/** A store's folder on the local disk, as Hadoop has it. Without its native library Hadoop starts ten processes for each file that is
  * written, `chmod` and `readlink`, which takes longer than all else in a small batch.
  *
  * @param filePermissions   of new files, as Hadoop gives them
  * @param folderPermissions of new folders
  */
private[files] final class LocalDisk(filePermissions: FsPermission, folderPermissions: FsPermission) {

  def writeTo(path: Path): AtomicWrite = new LocalWrite(local(path), filePermissions)

  /** Makes the folder, and those that it is in. */
  def makeFolder(path: Path): Unit = make(local(path))

  private def make(folder: LocalPath): Unit = if (!Files.isDirectory(folder)) {
    Option(folder.getParent).foreach(make)
    try {
      Files.createDirectory(folder)
      LocalDisk.permit(folder, folderPermissions)
    } catch { case _: FileAlreadyExistsException if Files.isDirectory(folder) => } // another task was quicker
  }

  private def local(path: Path): LocalPath = new File(path.toUri.getPath).toPath
}

private[files] object LocalDisk {

  /** The folder's, if Hadoop's own class serves it and the user has no other way of writing. */
  def of(folder: Path, hadoopConf: Configuration): Option[LocalDisk] = {
    val scheme = Option(folder.toUri.getScheme).getOrElse(FileSystem.getDefaultUri(hadoopConf).getScheme)
    val isLeft = hadoopConf.get(SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key) == null
    if (scheme == "file" && isLeft && folder.isAbsolute && File.separatorChar == '/') ofHadoops(folder, hadoopConf)
    else None
  }

  private def ofHadoops(folder: Path, hadoopConf: Configuration): Option[LocalDisk] = Try {
    val context = FileContext.getFileContext(folder.toUri, hadoopConf)
    Option.when(context.getDefaultFileSystem.getClass == classOf[LocalFs])(
      new LocalDisk(
        FsPermission.getFileDefault.applyUMask(context.getUMask),
        FsPermission.getDirDefault.applyUMask(context.getUMask)
      )
    )
  }.toOption.flatten

  def permit(path: LocalPath, permissions: FsPermission): Unit =
    Option(Files.getFileAttributeView(path, classOf[PosixFileAttributeView]))
      .foreach(_.setPermissions(PosixFilePermissions.fromString(permissions.toString)))
}

/** A temporary file that is renamed: on a local disk that replaces what has the name in one step. A name that nothing has is given by a
  * link: of two writers one gets it.
  */
private[files] class LocalWrite(path: LocalPath, permissions: FsPermission) extends AtomicWrite {
  private val temporary = path.resolveSibling(AtomicWrite.temporaryName(path.getFileName.toString))

  override val stream: OutputStream = new FileOutputStream(temporary.toFile)

  override def publish(): Unit = {
    makeReady()
    Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE)
  }

  override def publishIfAbsent(): Boolean = {
    makeReady()
    try {
      if (isLinked) Files.deleteIfExists(temporary) else Files.move(temporary, path)
      true
    } catch { case _: FileAlreadyExistsException => false }
  }

  /** Not on a disk without links: there it is looked whether something has the name, and then renamed, as Hadoop does. */
  private def isLinked: Boolean =
    try { link(); true }
    catch {
      case e: FileAlreadyExistsException => throw e
      case _: FileSystemException | _: UnsupportedOperationException => false
    }

  protected def link(): Unit = Files.createLink(path, temporary): Unit

  override def cancel(): Unit =
    try stream.close()
    finally Files.deleteIfExists(temporary): Unit

  private def makeReady(): Unit = {
    stream.close()
    LocalDisk.permit(temporary, permissions)
    // Hadoop's checksums of what is replaced.
    Files.deleteIfExists(path.resolveSibling(s".${path.getFileName}.crc")): Unit
  }
}

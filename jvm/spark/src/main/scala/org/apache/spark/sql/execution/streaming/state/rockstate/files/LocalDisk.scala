package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{File, FileOutputStream, OutputStream}
import java.nio.file.{Files, Path => LocalPath, StandardCopyOption}
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
  * @param permissions of new files, as Hadoop gives them
  */
private[files] final class LocalDisk(permissions: FsPermission) {

  /** For a name that nobody else writes. */
  def writeTo(path: Path): AtomicWrite = new LocalWrite(new File(path.toUri.getPath).toPath, permissions)
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
      new LocalDisk(FsPermission.getFileDefault.applyUMask(context.getUMask))
    )
  }.toOption.flatten
}

/** A temporary file that is renamed: on a local disk that replaces what has the name in one step. */
private final class LocalWrite(path: LocalPath, permissions: FsPermission) extends AtomicWrite {
  private val temporary = path.resolveSibling(AtomicWrite.temporaryName(path.getFileName.toString))

  override val stream: OutputStream = new FileOutputStream(temporary.toFile)

  override def publish(): Unit = {
    stream.close()
    permit()
    Files.deleteIfExists(path.resolveSibling(s".${path.getFileName}.crc")) // Hadoop's checksums of what is replaced
    Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE)
  }

  override def publishIfAbsent(): Boolean = {
    publish()
    true
  }

  override def cancel(): Unit =
    try stream.close()
    finally Files.deleteIfExists(temporary): Unit

  private def permit(): Unit =
    Option(Files.getFileAttributeView(temporary, classOf[PosixFileAttributeView]))
      .foreach(_.setPermissions(PosixFilePermissions.fromString(permissions.toString)))
}

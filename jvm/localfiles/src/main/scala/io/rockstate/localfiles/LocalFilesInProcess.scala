package io.rockstate.localfiles

import java.io.{File, OutputStream}
import java.net.URI
import java.nio.file.Files
import java.nio.file.attribute.PosixFilePermissions

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission

/** Hadoop's local files without its native library, but without the processes either that Hadoop then starts for each file that is
  * written: `chmod`, and three times `readlink`. They take longer than all else in a query of a few rows.
  */
class RawLocalFilesInProcess extends RawLocalFileSystem {

  override def setPermission(path: Path, permission: FsPermission): Unit = {
    val bits = new FsPermission((permission.toShort & 0x1ff).toShort).toString
    Files.setPosixFilePermissions(pathToFile(path).toPath, PosixFilePermissions.fromString(bits)): Unit
  }

  override def getFileLinkStatus(path: Path): FileStatus =
    if (Files.isSymbolicLink(pathToFile(path).toPath)) super.getFileLinkStatus(path) else getFileStatus(path)

  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    CutOff.open(path)
    super.open(path, bufferSize)
  }

  override def rename(from: Path, to: Path): Boolean = {
    CutOff.change("rename", to)
    super.rename(from, to)
  }

  override def delete(path: Path, recursive: Boolean): Boolean = {
    CutOff.change("delete", path)
    super.delete(path, recursive)
  }

  /** Of two tasks that want the same folder one makes it: there are as many calls in each run. */
  override protected def mkOneDirWithMode(path: Path, folder: File, permission: FsPermission): Boolean =
    CutOff.synchronized {
      if (!folder.exists()) CutOff.change("mkdir", path)
      super.mkOneDirWithMode(path, folder, permission)
    }

  override protected def createOutputStreamWithMode(
      path: Path,
      append: Boolean,
      permission: FsPermission
  ): OutputStream = {
    CutOff.change("create", path)
    CutOff.output(path, super.createOutputStreamWithMode(path, append, permission))
  }
}

/** What `fs.file.impl` names: the above with checksums, as Hadoop's own. */
class LocalFilesInProcess extends LocalFileSystem(new RawLocalFilesInProcess)

/** What `fs.AbstractFileSystem.file.impl` names: the same for `FileContext`. */
class LocalFsInProcess(uri: URI, conf: Configuration) extends ChecksumFs(new RawLocalFsInProcess(uri, conf))

private class RawLocalFsInProcess(uri: URI, conf: Configuration)
    extends DelegateToFileSystem(uri, new RawLocalFilesInProcess, conf, "file", false) {
  override def getUriDefaultPort: Int = -1
}

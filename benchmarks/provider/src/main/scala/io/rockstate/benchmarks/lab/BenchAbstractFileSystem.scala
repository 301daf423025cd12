package io.rockstate.benchmarks.lab

import java.net.URI
import java.util.EnumSet

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable

/** The same for Hadoop's FileContext, through which Spark renames atomically: one call here is one call of the storage. */
class BenchAbstractFileSystem private (uri: URI, conf: Configuration, fs: BenchFileSystem)
    extends DelegateToFileSystem(uri, fs, conf, BenchFileSystem.Scheme, false) {

  def this(uri: URI, conf: Configuration) = this(uri, conf, new BenchFileSystem)

  override def createInternal(
      path: Path,
      flags: EnumSet[CreateFlag],
      permission: FsPermission,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable,
      checksum: Options.ChecksumOpt,
      createParent: Boolean
  ): FSDataOutputStream = fs.createFile(path, flags.contains(CreateFlag.OVERWRITE))

  override def mkdir(path: Path, permission: FsPermission, createParent: Boolean): Unit = {
    fs.mkdirs(path, permission)
    ()
  }

  override def renameInternal(from: Path, to: Path, overwrite: Boolean): Unit = fs.renameAtomically(from, to, overwrite)
  override def renameInternal(from: Path, to: Path): Unit = fs.renameAtomically(from, to, overwrite = false)
}

package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.IOException
import java.net.URI
import java.nio.file.{Files, Paths}
import java.util.UUID

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataOutputStream, FileSystem, Path, RawLocalFileSystem}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.security.AccessControlException
import org.apache.hadoop.util.Progressable

import org.apache.spark.sql.execution.streaming.state.RenameLikeHDFSFileSystem
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.FileSystemBasedCheckpointFileManager
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.{CorruptFile, Misuse, NotFound, Unavailable}
import io.rockstate.files.RemoteFiles
import io.rockstate.testkit.RemoteFilesContract

/** The contract of `RemoteFiles` on the local disk, through the manager that Spark picks by itself. */
class SparkRemoteFilesSuite extends RemoteFilesContract {
  protected def configuration: Configuration = new Configuration

  protected def newFolder(): Path = new Path(Utils.createTempDir().toURI.toString, "0/0")

  override def emptyFolder(): RemoteFiles = new SparkRemoteFiles(newFolder(), configuration)

  override def afterCrash(files: RemoteFiles): RemoteFiles =
    new SparkRemoteFiles(new Path(files.location), configuration)

  test("what writers that died left behind is told from what is published, and can be deleted") {
    val files = emptyFolder()
    val names = Seq("1.delta", "2_a-b.snapshot", "sst/ab12.sst")
    names.foreach { name =>
      val published = files.create(name)
      published.publish()
      files.create(name).write(1) // and never anything again
    }
    val foreign = new java.io.File(new Path(files.location, ".foreign.tmp").toUri.getPath)
    assert(foreign.createNewFile())
    val leftovers = afterCrash(files).leftovers()
    val kinds = leftovers.map(_.name.replaceAll("[0-9a-f]{8}-.*", "*")).sorted
    assert(kinds == Seq(".1.delta.*", ".2_a-b.snapshot.*", "sst/.ab12.sst.*"))
    assert(leftovers.forall(_.modifiedMillis > System.currentTimeMillis() - 60000))
    leftovers.foreach(files.deleteLeftover)
    assert(afterCrash(files).leftovers().isEmpty && foreign.exists)
    assert(files.list("").map(_.name).sorted == names.take(2) && files.list("sst").map(_.name) == Seq("ab12.sst"))
  }
}

/** The same where a rename does not replace, as on HDFS, and Spark only has the `FileSystem` interface. */
class SparkRemoteFilesWithoutReplacingRenameSuite extends SparkRemoteFilesSuite {
  import SparkRemoteFilesSuite._

  override protected def configuration: Configuration = throughFileSystem(withFileSystem(classOf[RenamesLikeHdfs]))

  override protected def newFolder(): Path = testFolder()
}

/** What storage refuses, as errors that say where and what to do. */
class StorageFailureSuite extends org.scalatest.funsuite.AnyFunSuite {
  import SparkRemoteFilesSuite._

  private def filesOn(fileSystem: Class[_ <: RawLocalFileSystem]): (RemoteFiles, String) = {
    val folder = testFolder()
    (new SparkRemoteFiles(folder, withFileSystem(fileSystem)), folder.toString)
  }

  private def write(files: RemoteFiles): Unit = {
    val output = files.create("1.delta")
    try {
      output.write(new Array[Byte](100))
      output.publish()
    } finally output.cancel()
  }

  test("a folder that may not be written is named, with the remedy") {
    val (files, folder) = filesOn(classOf[ReadOnly])
    val refused = intercept[Unavailable](write(files))
    assert(refused.problem.contains(folder) && refused.file.contains("1.delta"))
    assert(refused.remedy.contains("write access"))
  }

  test("a full disk is named, with the remedy") {
    val (files, folder) = filesOn(classOf[Full])
    val refused = intercept[Unavailable](write(files))
    assert(refused.problem.contains(folder) && refused.problem.contains("No space left"))
    assert(refused.remedy.contains("Free space"))
  }

  test("a rename that reports failure fails the publish, with the file system's own words") {
    val (files, _) = filesOn(classOf[NeverRenames])
    val refused = intercept[Unavailable](write(files))
    assert(refused.problem.contains("Failed to rename") && refused.file.contains("1.delta"))
  }

  test("a temporary file that was taken away fails the publish, and is no missing file") {
    val (files, folder) = filesOn(classOf[RenamesLikeHdfs])
    val output = files.create("1.delta")
    output.write(1)
    new java.io.File(new Path(folder).toUri.getPath).listFiles().foreach(_.delete())
    assert(intercept[Unavailable](output.publish()).problem.contains("publish 1.delta"))
  }

  test("an output whose write failed cannot be published") {
    val (files, _) = filesOn(classOf[Full])
    val output = files.create("1.delta")
    intercept[Unavailable](output.write(new Array[Byte](100)))
    assert(intercept[Misuse](output.publish()).problem.contains("a write failed"))
    intercept[Misuse](output.write(1))
    output.cancel()
  }

  test("an unreachable storage is Unavailable, not missing") {
    val (files, _) = filesOn(classOf[Unreachable])
    assert(intercept[Unavailable](files.open("1.delta")).problem.contains("connection refused"))
    intercept[Unavailable](files.list(""))
  }

  test("bytes that do not fit the file system's own checksums are damage") {
    val folder = new Path(Utils.createTempDir().toURI)
    val checked = FileSystem.newInstanceLocal(new Configuration)
    Using.resource(checked.create(new Path(folder, "1.delta")))(_.write(new Array[Byte](100)))
    Files.write(Paths.get(folder.toUri.getPath, "1.delta"), new Array[Byte](100).updated(3, 1.toByte))
    val files = new SparkRemoteFiles(folder, throughFileSystem(new Configuration))
    val damaged = intercept[CorruptFile](Using.resource(files.open("1.delta"))(_.stream.readAllBytes()))
    assert(damaged.problem.contains(folder.toString) && damaged.file.contains("1.delta"))
  }

  test("a missing file is NotFound and names the folder") {
    val (files, folder) = filesOn(classOf[RenamesLikeHdfs])
    val missing = intercept[NotFound](files.open("1.delta"))
    assert(missing.problem.contains(folder) && missing.file.contains("1.delta"))
  }
}

object SparkRemoteFilesSuite {
  private val scheme = s"rockstate${UUID.randomUUID().toString.take(8)}"

  /** A folder on the test scheme. */
  private[files] def testFolder(): Path = new Path(s"$scheme://${Utils.createTempDir().getAbsolutePath}/0/0")

  private[files] def withFileSystem(fileSystem: Class[_ <: RawLocalFileSystem]): Configuration = {
    val conf = new Configuration
    conf.set(s"fs.$scheme.impl", fileSystem.getName)
    conf.setBoolean(s"fs.$scheme.impl.disable.cache", true)
    conf
  }

  /** The other one of Spark's managers reads local files without their checksums. */
  private[files] def throughFileSystem(conf: Configuration): Configuration = {
    conf.set(
      SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key,
      classOf[FileSystemBasedCheckpointFileManager].getName
    )
    conf
  }

  private val uri: URI = URI.create(s"$scheme:///")

  class RenamesLikeHdfs extends RenameLikeHDFSFileSystem {
    override def getUri: URI = uri
  }

  class NeverRenames extends RawLocalFileSystem {
    override def getUri: URI = uri
    override def rename(from: Path, to: Path): Boolean = false
  }

  class ReadOnly extends RawLocalFileSystem {
    override def getUri: URI = uri
    override def mkdirs(path: Path, permission: FsPermission): Boolean = throw new AccessControlException(
      s"Permission denied: $path"
    )
  }

  class Full extends RawLocalFileSystem {
    override def getUri: URI = uri

    override def create(
        path: Path,
        overwrite: Boolean,
        bufferSize: Int,
        replication: Short,
        blockSize: Long,
        progress: Progressable
    ): FSDataOutputStream = {
      val full = new java.io.OutputStream {
        override def write(b: Int): Unit = throw new IOException("No space left on device")
      }
      new FSDataOutputStream(full, null)
    }
  }

  class Unreachable extends RawLocalFileSystem {
    override def getUri: URI = uri
    override def getFileStatus(path: Path): org.apache.hadoop.fs.FileStatus = throw new IOException(
      "connection refused"
    )
    override def open(path: Path, bufferSize: Int): org.apache.hadoop.fs.FSDataInputStream = throw new IOException(
      "connection refused"
    )
    override def listStatus(path: Path): Array[org.apache.hadoop.fs.FileStatus] = throw new IOException(
      "connection refused"
    )
  }
}

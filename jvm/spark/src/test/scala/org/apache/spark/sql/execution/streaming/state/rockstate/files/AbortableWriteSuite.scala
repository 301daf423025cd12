package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{ByteArrayOutputStream, IOException, InterruptedIOException}
import java.net.URI
import java.nio.file.{Files, Paths, StandardCopyOption}

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{
  Abortable,
  CommonPathCapabilities,
  FSDataOutputStream,
  Path,
  PathCapabilities,
  RawLocalFileSystem
}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.MovedInTests.FileSystemBasedCheckpointFileManager
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFiles

/** Files on storage like S3, which are there once their stream is closed. */
class AbortableWriteSuite extends AnyFunSuite {
  import AbortableWriteSuite._

  private val own = Seq("1_a-b.delta", "1_a-b.snapshot", "sst/ab12.sst")

  private def filesWith(manager: Option[String] = None): RemoteFiles = {
    val conf = new Configuration
    conf.set(s"fs.$Scheme.impl", classOf[LikeS3].getName)
    manager.foreach(conf.set(SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key, _))
    new SparkRemoteFiles(new Path(s"$Scheme://${Utils.createTempDir().getAbsolutePath}/0/0"), conf)
  }

  /** Names of all that is in the file's folder while it is being written. */
  private def amidWrite(files: RemoteFiles, name: String): Seq[String] = {
    val output = files.create(name)
    output.write(1)
    try new java.io.File(new Path(files.location, name).getParent.toUri.getPath).list().toSeq
    finally output.cancel()
  }

  test("a file of a name that nobody else writes is there, whole, once it is published, and not before") {
    own.foreach { name =>
      val files = filesWith()
      assert(amidWrite(files, name).isEmpty)
      Seq(Array[Byte](1, 2, 3), Array[Byte](4)).foreach { bytes =>
        val output = files.create(name)
        output.write(bytes)
        assert(output.publishIfAbsent())
        output.cancel()
        assert(Using.resource(files.open(name))(_.stream.readAllBytes()).sameElements(bytes))
      }
      assert((files.list("") ++ files.list("sst")).map(_.length) == Seq(1L) && files.leftovers().isEmpty)
    }
  }

  test("what is cancelled, even after a write that failed, never appears") {
    val files = filesWith()
    val output = files.create(own.head)
    output.write(new Array[Byte](Upload.MostBytes - 1))
    intercept[Unavailable](output.write(new Array[Byte](2)))
    output.cancel()
    assert(files.list("").isEmpty && files.leftovers().isEmpty)
  }

  test("names that attempts share, and all if the user has named a manager, are written by Spark's manager") {
    assert(amidWrite(filesWith(), "1.delta").exists(_.endsWith(".tmp")))
    val named = filesWith(Some(classOf[FileSystemBasedCheckpointFileManager].getName))
    assert(own.forall(amidWrite(named, _).exists(_.endsWith(".tmp"))))
  }

  test("an upload that was interrupted is not taken for done") {
    val files = filesWith()
    val output = files.create(own.head)
    output.write(1)
    Thread.currentThread().interrupt()
    val failure =
      try intercept[Unavailable](output.publish())
      finally assert(Thread.interrupted())
    assert(failure.getCause.isInstanceOf[InterruptedIOException] && files.list("").isEmpty)
  }
}

object AbortableWriteSuite {
  private val Scheme = "likes3"

  class LikeS3 extends RawLocalFileSystem with PathCapabilities {
    override def getUri: URI = URI.create(s"$Scheme:///")

    override def getScheme: String = Scheme

    override def hasPathCapability(path: Path, capability: String): Boolean =
      capability == CommonPathCapabilities.ABORTABLE_STREAM || super.hasPathCapability(path, capability)

    override def create(
        path: Path,
        permission: FsPermission,
        overwrite: Boolean,
        bufferSize: Int,
        replication: Short,
        blockSize: Long,
        progress: Progressable
    ): FSDataOutputStream = new FSDataOutputStream(new Upload(path), null)
  }

  /** As S3A's: close uploads once, and returns from an interrupted upload without one. */
  private final class Upload(path: Path) extends ByteArrayOutputStream with Abortable {
    private var isOpen = true

    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
      if (size + length > Upload.MostBytes) throw new IOException("no more parts")
      super.write(bytes, offset, length)
    }

    override def close(): Unit = if (isOpen) {
      isOpen = false
      if (!Thread.currentThread().isInterrupted) {
        val target = Paths.get(path.toUri.getPath)
        val uploaded = Files.write(Files.createTempFile("likes3", ""), toByteArray)
        Files.move(uploaded, target, StandardCopyOption.REPLACE_EXISTING)
      }
    }

    override def abort(): Abortable.AbortableResult = {
      val wasOpen = isOpen
      isOpen = false
      new Abortable.AbortableResult {
        override def alreadyClosed(): Boolean = !wasOpen
        override def anyCleanupException(): IOException = null
      }
    }
  }

  private object Upload {
    val MostBytes = 1000
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.nio.file.{Files, Path => LocalPath, Paths}
import java.nio.file.attribute.PosixFilePermissions

import scala.jdk.CollectionConverters._
import scala.util.Using

import jdk.jfr.Recording
import jdk.jfr.consumer.RecordingFile
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonConfigurationKeys, Path}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.FileSystemBasedCheckpointFileManager
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFiles

/** Files on the local disk that nobody else writes: they are as Hadoop leaves them, and it takes no process. */
class LocalDiskSuite extends AnyFunSuite {
  private val own = Seq("1_a-b.delta", "1_a-b.snapshot", "sst/ab12.sst")
  private val shared = "1.delta"

  private val byManager = {
    val conf = new Configuration
    val key = SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key
    conf.set(key, classOf[FileSystemBasedCheckpointFileManager].getName)
    conf
  }

  private def newFolder(): Path = new Path(Utils.createTempDir().toURI.toString, "0/0")

  private def onDisk(folder: Path, name: String): LocalPath = Paths.get(new Path(folder, name).toUri.getPath)

  private def write(files: RemoteFiles, name: String, text: String): Unit = {
    val output = files.create(name)
    output.write(text.getBytes)
    output.publish()
  }

  private def read(files: RemoteFiles, name: String): String =
    Using.resource(files.open(name))(input => new String(input.stream.readAllBytes()))

  /** How many processes it starts. */
  private def processes(body: => Unit): Int = Using.resource(new Recording) { recording =>
    recording.enable("jdk.ProcessStart")
    recording.start()
    body
    recording.stop()
    val file = Files.createTempFile("rockstate", ".jfr")
    recording.dump(file)
    try RecordingFile.readAllEvents(file).asScala.count(_.getEventType.getName == "jdk.ProcessStart")
    finally Files.delete(file)
  }

  test("a file that one attempt writes takes no process, and one whose name attempts share takes Hadoop's") {
    val files = new SparkRemoteFiles(newFolder(), new Configuration)
    own.foreach(write(files, _, "made its folders"))
    assert(processes(own.foreach(write(files, _, "text"))) == 0)
    assert(own.forall(read(files, _) == "text"))
    assert(processes(write(files, shared, "text")) > 0)
  }

  test("it replaces a file that Hadoop wrote with checksums, and one that Hadoop writes replaces it") {
    val folder = newFolder()
    val (direct, hadoops) = (new SparkRemoteFiles(folder, new Configuration), new SparkRemoteFiles(folder, byManager))
    own.foreach { name =>
      Seq(hadoops -> "first", direct -> "the second", hadoops -> "third", direct -> "4").foreach { case (files, text) =>
        write(files, name, text)
        Seq(direct, hadoops).foreach { reader =>
          assert(read(reader, name) == text)
          assert((reader.list("") ++ reader.list("sst")).exists(_.length == text.length) && reader.leftovers().isEmpty)
        }
      }
    }
  }

  test("who may read it is as the file system has it") {
    val permissions = Seq("022", "027", "077").map { umask =>
      val conf = new Configuration
      conf.set(CommonConfigurationKeys.FS_PERMISSIONS_UMASK_KEY, umask)
      val folder = newFolder()
      val files = new SparkRemoteFiles(folder, conf)
      val Vector(direct, hadoops) = Vector(own.head, shared).map { name =>
        write(files, name, "text")
        PosixFilePermissions.toString(Files.getPosixFilePermissions(onDisk(folder, name)))
      }: @unchecked
      assert(direct == hadoops)
      direct
    }
    assert(permissions == Seq("rw-r--r--", "rw-r-----", "rw-------"))
  }

  test("what is cancelled never appears, and a writer that dies leaves what is told from files") {
    val folder = newFolder()
    val files = new SparkRemoteFiles(folder, new Configuration)
    val cancelled = files.create(own.head)
    cancelled.write(1)
    assert(files.list("").isEmpty)
    cancelled.cancel()
    assert(Files.list(onDisk(folder, ".")).count() == 0)
    files.create(own.head).write(1)
    assert(new SparkRemoteFiles(folder, new Configuration).leftovers().size == 1 && files.list("").isEmpty)
  }

  test("a folder or temporary file that is gone fails the write, and is no missing file") {
    val folder = newFolder()
    val files = new SparkRemoteFiles(folder, new Configuration)
    val output = files.create(own.head)
    Files.list(onDisk(folder, ".")).forEach(Files.delete(_))
    assert(intercept[Unavailable](output.publish()).problem.contains(s"publish ${own.head}"))
    Files.delete(onDisk(folder, "."))
    assert(intercept[Unavailable](files.create(own.head)).problem.contains(s"create ${own.head}"))
  }

  test("a user's own manager, file system or folder without a scheme of its own is asked for") {
    assert(LocalDisk.of(newFolder(), new Configuration).isDefined)
    assert(LocalDisk.of(new Path("/checkpoint"), new Configuration).isDefined)
    assert(LocalDisk.of(newFolder(), byManager).isEmpty)
    val others = new Configuration
    others.set("fs.AbstractFileSystem.file.impl", "org.apache.hadoop.fs.local.RawLocalFs")
    assert(LocalDisk.of(newFolder(), others).isEmpty)
    others.set("fs.defaultFS", "hdfs://nowhere")
    assert(LocalDisk.of(new Path("/checkpoint"), others).isEmpty)
    assert(LocalDisk.of(new Path("s3a://bucket/checkpoint"), new Configuration).isEmpty)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.nio.file.{FileSystemException, Files, Path => LocalPath, Paths}
import java.nio.file.attribute.PosixFilePermissions
import java.util.concurrent.CyclicBarrier

import scala.concurrent.{blocking, Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._
import scala.util.Using

import jdk.jfr.Recording
import jdk.jfr.consumer.RecordingFile
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonConfigurationKeys, FileContext, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.FileSystemBasedCheckpointFileManager
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFiles

/** Files on the local disk: they are as Hadoop leaves them, and it takes no process. */
class LocalDiskSuite extends AnyFunSuite {
  private val shared = "1.delta"
  private val names = Seq("1_a-b.delta", "1_a-b.snapshot", "sst/ab12.sst", shared, "1.snapshot")

  private val ManagerKey = SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key
  private val byManager = {
    val conf = new Configuration
    conf.set(ManagerKey, classOf[FileSystemBasedCheckpointFileManager].getName)
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

  test("a file takes no process, and by Hadoop's own means it does") {
    val folder = newFolder()
    val files = new SparkRemoteFiles(folder, new Configuration)
    assert(processes(names.foreach(write(files, _, "text"))) == 0)
    assert(names.forall(read(files, _) == "text"))
    assert(processes(write(new SparkRemoteFiles(folder, byManager), shared, "text")) > 0)
  }

  test("of several writers one gets a name that nothing has, and the others see whole what it wrote") {
    val files = new SparkRemoteFiles(newFolder(), new Configuration)
    (1 to 50).foreach { version =>
      val name = s"$version.delta"
      val texts = (1 to 4).map(writer => s"$writer" * 1000)
      val outputs = texts.map { text =>
        val output = files.create(name)
        output.write(text.getBytes)
        output
      }
      val isReady = new CyclicBarrier(outputs.size)
      val (got, seen) = Await
        .result(
          Future.traverse(outputs)(output =>
            Future(blocking { isReady.await(); (output.publishIfAbsent(), read(files, name)) })
          ),
          1.minute
        )
        .unzip
      assert(got.count(identity) == 1 && seen.toSet == Set(texts(got.indexOf(true))))
      outputs.foreach(_.cancel())
    }
    assert(new SparkRemoteFiles(new Path(files.location), new Configuration).leftovers().isEmpty)
  }

  test("on a disk without links a name that something has is left to it, too") {
    val folder = Utils.createTempDir().toPath
    Seq(new UnsupportedOperationException, new FileSystemException("Operation not permitted")).foreach { failure =>
      val path = folder.resolve(failure.getClass.getSimpleName)
      def written(text: String): LocalWrite = {
        val write = new LocalWrite(path, FsPermission.getFileDefault) {
          override protected def link(): Unit = throw failure
        }
        write.stream.write(text.getBytes)
        write
      }
      val second = written("second")
      assert(written("first").publishIfAbsent() && !second.publishIfAbsent() && Files.readString(path) == "first")
      second.publish()
      assert(Files.readString(path) == "second")
    }
    assert(folder.toFile.list().length == 2)
  }

  test("it replaces a file that Hadoop wrote with checksums, and one that Hadoop writes replaces it") {
    val folder = newFolder()
    val (direct, hadoops) = (new SparkRemoteFiles(folder, new Configuration), new SparkRemoteFiles(folder, byManager))
    names.foreach { name =>
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
      val files = new SparkRemoteFiles(folder, new Configuration(conf))
      conf.set(ManagerKey, classOf[FileSystemBasedCheckpointFileManager].getName)
      conf.setBoolean("fs.file.impl.disable.cache", true) // or it has the umask of the first
      val hadoops = new SparkRemoteFiles(folder, conf)
      def permissionsOf(folder: Path, name: String) =
        PosixFilePermissions.toString(Files.getPosixFilePermissions(onDisk(folder, name)))
      val found = Seq(files -> names.head, files -> shared, hadoops -> "2.delta").map { case (files, name) =>
        write(files, name, "text")
        permissionsOf(folder, name)
      }
      val other = newFolder() // made as Spark's manager does
      FileContext.getFileContext(other.toUri, conf).mkdir(new Path(other, "sst"), FsPermission.getDirDefault, true)
      write(files, "sst/cd34.sst", "text")
      val folders = for (of <- Seq(folder, other); name <- Seq("sst", ".", "..")) yield permissionsOf(of, name)
      assert(found.distinct.size == 1 && folders.distinct.size == 1)
      found.head -> folders.head
    }
    assert(
      permissions == Seq("rw-r--r--" -> "rwxr-xr-x", "rw-r-----" -> "rwxr-x---", "rw-------" -> "rwx------")
    )
  }

  test("what is cancelled never appears, and a writer that dies leaves what is told from files") {
    val folder = newFolder()
    val files = new SparkRemoteFiles(folder, new Configuration)
    val cancelled = files.create(names.head)
    cancelled.write(1)
    assert(files.list("").isEmpty)
    cancelled.cancel()
    assert(Files.list(onDisk(folder, ".")).count() == 0)
    files.create(names.head).write(1)
    assert(new SparkRemoteFiles(folder, new Configuration).leftovers().size == 1 && files.list("").isEmpty)
  }

  test("a folder or temporary file that is gone fails the write, and is no missing file") {
    val folder = newFolder()
    val files = new SparkRemoteFiles(folder, new Configuration)
    val output = files.create(names.head)
    Files.list(onDisk(folder, ".")).forEach(Files.delete(_))
    assert(intercept[Unavailable](output.publish()).problem.contains(s"publish ${names.head}"))
    Files.delete(onDisk(folder, "."))
    assert(intercept[Unavailable](files.create(names.head)).problem.contains(s"create ${names.head}"))
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

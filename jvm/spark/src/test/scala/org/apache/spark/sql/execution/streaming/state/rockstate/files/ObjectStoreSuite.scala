package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{ByteArrayOutputStream, IOException, InterruptedIOException}
import java.net.URI
import java.nio.file.{Files, Paths, StandardCopyOption}
import java.util.{Collection => JCollection, List => JList, Map => JMap}
import java.util.concurrent.{CompletableFuture, ConcurrentLinkedQueue}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{
  Abortable,
  BulkDelete,
  CommonPathCapabilities,
  DelegateToFileSystem,
  FSDataInputStream,
  FSDataOutputStream,
  FileStatus,
  FileSystem,
  Path,
  PathCapabilities,
  RawLocalFileSystem
}
import org.apache.hadoop.fs.impl.OpenFileParameters
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.FileSystemBasedCheckpointFileManager
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.{NotFound, Unavailable}
import io.rockstate.files.{RemoteFiles, RemoteInput}

/** Files on storage like S3, which are there once their stream is closed, and where each request costs. */
class ObjectStoreSuite extends AnyFunSuite {
  import ObjectStoreSuite._

  private val own = Seq("1_a-b.delta", "1_a-b.snapshot", "sst/ab12.sst")

  private def likeS3(): Configuration = {
    val conf = new Configuration
    conf.set(s"fs.$Scheme.impl", classOf[LikeS3].getName)
    conf
  }

  private def filesWith(manager: Option[String] = None): RemoteFiles = {
    val conf = likeS3()
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

  test("stores share one file system, however many they are") {
    val conf = likeS3()
    conf.set(s"fs.AbstractFileSystem.$Scheme.impl", classOf[LikeS3Context].getName)
    Asked.contexts.set(0)
    (1 to 5).foreach { n =>
      val files = new SparkRemoteFiles(new Path(s"$Scheme://${Utils.createTempDir().getAbsolutePath}/0/$n"), conf)
      val output = files.create(own.head)
      output.publish()
      assert(files.list("").size == 1 && read(files.open(own.head)).isEmpty)
      files.deleteAll(Seq(own.head))
    }
    assert(Asked.contexts.get == 0)
  }

  test("whoever closes Hadoop's file system closes none of ours") {
    val conf = likeS3()
    val files = new SparkRemoteFiles(new Path(s"$Scheme://${Utils.createTempDir().getAbsolutePath}/0/0"), conf)
    FileSystem.get(new Path(files.location).toUri, conf).close()
    own.foreach(files.create(_).publish())
    assert(files.list("").size == 2 && read(files.open(own.head)).isEmpty)
    files.delete(own.head)
    assert(files.list("").size == 1)
  }

  test("a query that starts with other credentials has a file system with these") {
    def users(credentials: String): Set[String] = {
      val conf = likeS3()
      conf.set(s"fs.$Scheme.session.token", credentials)
      Asked.users.clear()
      val files = new SparkRemoteFiles(new Path(s"$Scheme://${Utils.createTempDir().getAbsolutePath}/0/0"), conf)
      files.create(own.head).publish()
      assert(files.list("").size == 1)
      Asked.users.asScala.toSet
    }
    assert(Seq("expired", "fresh", "expired").map(users) == Seq(Set("expired"), Set("fresh"), Set("expired")))
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

  private def filled(names: Seq[String]): RemoteFiles = {
    val files = filesWith()
    names.foreach { name =>
      val output = files.create(name)
      output.write(Array[Byte](1, 2, 3))
      output.publish()
    }
    files
  }

  private def read(input: RemoteInput): Seq[Byte] = Using.resource(input)(_.stream.readAllBytes()).toSeq

  test("a delta of its own name is not looked for once it was listed, and what needs no length never is") {
    val files = filled(own)
    def looks(body: => Any): Int = {
      Asked.looks.set(0)
      body: Unit
      Asked.looks.get
    }
    assert(looks(files.open(own.head).close()) > 0)
    files.list(""): Unit
    Asked.told.set(0)
    assert(looks(assert(files.open(own.head).length == 3 && read(files.open(own.head)) == Seq[Byte](1, 2, 3))) == 0)
    assert(Asked.told.get == 2)
    assert(looks(own.foreach(name => read(files.openUnmeasured(name)))) == 0)
  }

  test("a snapshot, which another may have written since it was listed, has the length that it has") {
    val files = filled(own)
    files.list(""): Unit
    val again = files.create(own(1))
    again.write(7)
    again.publish()
    assert(read(files.open(own(1))) == Seq[Byte](7) && files.open(own(1)).length == 1)
  }

  test("a file that was deleted since it was listed is not found") {
    val files = filled(own)
    files.list(""): Unit
    new SparkRemoteFiles(new Path(files.location), likeS3()).delete(own.head)
    intercept[NotFound](read(files.open(own.head)))
    intercept[NotFound](read(files.openUnmeasured(own.head)))
  }

  test("many files are deleted a page at a time, whether or not they are there") {
    val names = (1 to 5).map(n => s"${n}_a-b.delta")
    val files = filled(names.tail)
    Asked.pages.set(0)
    files.deleteAll(names :+ "sst/ab12.sst")
    assert(files.list("").isEmpty && Asked.pages.get == 3)
    files.deleteAll(Nil)
    assert(Asked.pages.get == 3)
  }

  test("files that storage does not delete are told, and the rest may be gone") {
    val files = filled((1 to 3).map(n => s"${n}_${Asked.Kept}.delta"))
    val failure = intercept[Unavailable](files.deleteAll((1 to 3).map(n => s"${n}_${Asked.Kept}.delta")))
    assert(failure.problem.contains("delete 3 files") && failure.problem.contains("no permission"))
    assert(files.list("").size == 3)
  }
}

object ObjectStoreSuite {
  private val Scheme = "likes3"

  /** What was asked of storage. */
  private object Asked {
    val looks, pages, told = new AtomicInteger // listings; bulk deletes; files that were opened as they were listed
    val contexts = new AtomicInteger // file systems that were made for a `FileContext`
    val users: JCollection[String] = new ConcurrentLinkedQueue[String] // whose requests came

    /** In the names of files that cannot be deleted. */
    val Kept = "kept"
  }

  /** A page of two files. */
  private final class Pages(files: LikeS3, folder: Path) extends BulkDelete {
    override def pageSize(): Int = 2

    override def basePath(): Path = folder

    override def bulkDelete(paths: JCollection[Path]): JList[JMap.Entry[Path, String]] = {
      Asked.pages.incrementAndGet()
      val (kept, going) = paths.asScala.toSeq.partition(_.getName.contains(Asked.Kept))
      assert(paths.size <= pageSize)
      going.foreach(files.delete(_, false))
      kept.map(path => JMap.entry(path, "no permission")).asJava
    }

    override def close(): Unit = ()
  }

  /** As S3A has it: each makes a file system of its own. */
  class LikeS3Context(uri: URI, conf: Configuration)
      extends DelegateToFileSystem(uri, new LikeS3, conf, Scheme, false) {
    Asked.contexts.incrementAndGet()
  }

  class LikeS3 extends RawLocalFileSystem with PathCapabilities {
    @volatile private var isClosed = false

    override def close(): Unit = {
      isClosed = true
      super.close()
    }

    private def asked(): Unit = {
      if (isClosed) throw new IOException("FileSystem is closed!")
      Asked.users.add(getConf.get(s"fs.$Scheme.session.token", "nobody"))
    }

    override def createBulkDelete(folder: Path): BulkDelete = new Pages(this, folder)

    override protected def openFileWithOptions(
        path: Path,
        parameters: OpenFileParameters
    ): CompletableFuture[FSDataInputStream] = {
      if (parameters.getStatus != null) Asked.told.incrementAndGet()
      super.openFileWithOptions(path, parameters)
    }

    override def listStatus(path: Path): Array[FileStatus] = {
      asked()
      Asked.looks.incrementAndGet()
      super.listStatus(path)
    }

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
    ): FSDataOutputStream = {
      asked()
      new FSDataOutputStream(new Upload(path), null)
    }
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

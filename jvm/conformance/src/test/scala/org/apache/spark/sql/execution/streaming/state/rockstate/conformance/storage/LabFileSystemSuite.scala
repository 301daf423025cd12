package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage

import java.io.{FileNotFoundException, IOException}
import java.net.URI
import java.util.UUID

import org.apache.hadoop.fs.{FileAlreadyExistsException, FileContext, FileSystem, Options, Path, PathIOException}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.files.RemoteFiles
import io.rockstate.testkit.RemoteFilesContract

/** The contract of `RemoteFiles` on a lab's storage, through Spark's manager for FileContext. */
class LabRemoteFilesSuite extends RemoteFilesContract {
  private val conf = LabFileSystem.configuration()

  override def emptyFolder(): RemoteFiles =
    new SparkRemoteFiles(new Path(s"conformance://files-${UUID.randomUUID()}/0/0"), conf)

  override def afterCrash(files: RemoteFiles): RemoteFiles = new SparkRemoteFiles(new Path(files.location), conf)
}

class LabFileSystemSuite extends AnyFunSuite {
  private final class Lab {
    val name = s"lab-${UUID.randomUUID()}"
    val storage: LabStorage = LabStorage.of(name)
    val files: FileSystem = FileSystem.get(URI.create(s"conformance://$name/"), LabFileSystem.configuration())
    def path(inside: String) = new Path(s"conformance://$name/$inside")

    def write(inside: String, text: String): Unit = {
      val out = files.create(path(inside), true)
      out.writeBytes(text)
      out.close()
    }

    def text(inside: String): String = new String(storage.peek(inside))
  }

  test("a file under way is visible with what was flushed, and a folder lists only its own") {
    val lab = new Lab
    val out = lab.files.create(lab.path("a/b/1"))
    out.writeBytes("half")
    assert(lab.files.getFileStatus(lab.path("a/b/1")).getLen == 0)
    out.hflush()
    assert(lab.files.getFileStatus(lab.path("a/b/1")).getLen == 4)
    out.close()
    lab.write("a/b/c/2", "two")
    assert(lab.files.listStatus(lab.path("a/b")).map(_.getPath.getName).toSet == Set("1", "c"))
    intercept[FileNotFoundException](lab.files.listStatus(lab.path("a/x")))
    assert(lab.storage.files() == Vector("a/b/1" -> 4L, "a/b/c/2" -> 3L))
  }

  test("names are as long as they can be on HDFS and a local disk") {
    val lab = new Lab
    val (longest, longer) = ("é" * 127 + "e", "é" * 128)
    lab.write(s"a/$longest", "1")
    intercept[PathIOException](lab.files.create(lab.path(s"a/$longer")))
    intercept[PathIOException](lab.files.rename(lab.path(s"a/$longest"), lab.path(s"a/$longer")))
    intercept[PathIOException](lab.files.mkdirs(lab.path(s"$longer/b")))
    assert(lab.storage.files() == Vector(s"a/$longest" -> 1L))
  }

  test("a rename replaces only when told to, and takes what is below a folder along") {
    val lab = new Lab
    val context = FileContext.getFileContext(URI.create(s"conformance://${lab.name}/"), LabFileSystem.configuration())
    lab.write("from/1", "one")
    lab.write("to/1", "old")
    assert(!lab.files.rename(lab.path("from/1"), lab.path("to/1")))
    intercept[FileAlreadyExistsException](context.rename(lab.path("from/1"), lab.path("to/1")))
    context.rename(lab.path("from/1"), lab.path("to/1"), Options.Rename.OVERWRITE)
    assert(lab.text("to/1") == "one" && !lab.files.exists(lab.path("from/1")))
    assert(lab.files.rename(lab.path("to"), lab.path("moved")))
    assert(lab.text("moved/1") == "one" && !lab.files.exists(lab.path("to")))
  }

  test("a crash before a call leaves nothing of it, one after it all, a torn one half") {
    Seq("crash_before" -> "", "crash_after" -> "content!", "crash_torn" -> "cont").foreach { case (mode, left) =>
      val lab = new Lab
      lab.write("other", "x")
      lab.storage.arm(at = 2, mode) // create, close
      intercept[IOException](lab.write("file", "content!"))
      intercept[IOException](lab.files.exists(lab.path("other")))
      assert(lab.storage.heal())
      assert(lab.text("file") == left, mode)
      assert(lab.files.exists(lab.path("other")))
    }
  }

  test("what was open when the process crashed cannot write afterwards") {
    val lab = new Lab
    val out = lab.files.create(lab.path("zombie"))
    lab.storage.arm(at = 1, "crash_before")
    intercept[IOException](lab.files.mkdirs(lab.path("folder")))
    lab.storage.heal()
    intercept[IOException](out.close())
    assert(lab.text("zombie") == "" && !lab.files.exists(lab.path("folder")))
  }

  test("a call that fails once fails once, and one that is never reached does not strike") {
    val lab = new Lab
    lab.storage.arm(at = 1, "fail_once")
    intercept[IOException](lab.write("file", "a"))
    lab.write("file", "b")
    assert(lab.storage.heal() && lab.text("file") == "b")
    lab.storage.arm(at = 2, "fail_read_once")
    lab.files.open(lab.path("file")).close()
    assert(!lab.storage.heal())
    lab.storage.arm(at = 1, "fail_read_once")
    intercept[IOException](lab.files.open(lab.path("file")))
    assert(lab.files.open(lab.path("file")).read() == 'b')
  }

  test("a saved tree comes back, whatever became of it") {
    val lab = new Lab
    lab.write("a/1", "one")
    lab.storage.save("before")
    lab.write("a/2", "two")
    lab.storage.poke("a/1", Some("changed".getBytes))
    lab.files.delete(lab.path("a"), true)
    assert(lab.storage.files().isEmpty)
    lab.storage.restore("before")
    assert(lab.storage.files() == Vector("a/1" -> 3L) && lab.text("a/1") == "one")
  }

  test("a file that breaks off gives its first half, and is whole when it is opened again") {
    val lab = new Lab
    lab.write("file", "abcd")
    lab.storage.arm(at = 1, "fail_read_midway")
    val in = lab.files.open(lab.path("file"))
    in.readFully(new Array[Byte](2))
    intercept[IOException](in.read())
    intercept[IOException](in.read(new Array[Byte](1)))
    assert(lab.files.open(lab.path("file")).readAllBytes().length == 4)
  }

  test("a listing or a status that fails once fails once") {
    val lab = new Lab
    lab.write("a/1", "one")
    lab.storage.arm(at = 2, "fail_look_once")
    lab.files.getFileStatus(lab.path("a/1"))
    intercept[IOException](lab.files.listStatus(lab.path("a")))
    assert(lab.files.listStatus(lab.path("a")).length == 1 && lab.storage.heal())
  }

  test("reads give fewer bytes than they are asked for, which ones the seed decides") {
    val lab = new Lab
    lab.write("file", "x" * 1000)
    def counts(seed: Long): Seq[Int] = {
      lab.storage.seeded(seed)
      val in = lab.files.open(lab.path("file"))
      Iterator.continually(in.read(new Array[Byte](300))).takeWhile(_ > 0).toVector
    }
    assert(counts(1) == counts(1) && (1L to 10L).map(counts).distinct.size > 1)
    assert((1L to 10L).forall(counts(_).sum == 1000) && (1L to 10L).exists(counts(_).head < 300))
  }

  test("files are listed in an order that the seed decides, and have one time of change") {
    val lab = new Lab
    (1 to 5).foreach(i => lab.write(s"a/$i", "x"))
    def listed(seed: Long): Seq[String] = {
      lab.storage.seeded(seed)
      lab.files.listStatus(lab.path("a")).map(_.getPath.getName).toVector
    }
    assert(listed(1) == listed(1) && (1L to 10L).map(listed).distinct.size > 1)
    assert((1L to 10L).forall(listed(_).sorted == Seq("1", "2", "3", "4", "5")))
    assert(lab.files.listStatus(lab.path("a")).map(_.getModificationTime).distinct.length == 1)
    assert(lab.storage.files().map(_._1) == (1 to 5).map(i => s"a/$i"))
  }

  test("a lab's storage has a name for each executor of a store, and is the same by all of them") {
    val lab = new Lab
    assert(Seq("a", "a", "b", "a").map(lab.storage.newNameFor(_, "lab")) == Seq("lab", "lab.m1", "lab", "lab.m2"))
    lab.write("a/1", "one")
    val other = FileSystem.get(URI.create(s"conformance://${lab.name}.m1/"), LabFileSystem.configuration())
    assert(other.exists(new Path("/a/1")))
    other.close()
    intercept[IOException](other.exists(new Path("/a/1")))
    assert(lab.files.exists(lab.path("a/1")))
  }

  test("mutating calls, opens and looks are counted, the hands of a check are not") {
    val lab = new Lab
    lab.storage.calls()
    lab.write("a/1", "one")
    lab.files.rename(lab.path("a/1"), lab.path("a/2"))
    val in = lab.files.open(lab.path("a/2"))
    lab.storage.peek("a/2")
    lab.storage.poke("a/2", None)
    lab.files.listStatus(lab.path("a"))
    val transcript = Vector("create /a/1", "close /a/1", "rename /a/1 /a/2")
    assert(lab.storage.calls() == LabStorage.Calls(mutations = 3, opens = 1, looks = 1, openInputs = 1, transcript))
    in.close()
    assert(lab.storage.calls() == LabStorage.Calls(0, 0, 0, 0, Vector.empty))
  }
}

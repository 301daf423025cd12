package io.rockstate.testkit

import java.nio.charset.StandardCharsets.UTF_8
import java.util.concurrent.{Callable, Executors, TimeUnit}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{Misuse, NotFound}
import io.rockstate.files.RemoteFiles

/** What every implementation of `RemoteFiles` must do; its guarantees are numbered as there. */
abstract class RemoteFilesContract extends AnyFunSuite {

  /** A store's folder that does not exist yet. */
  def emptyFolder(): RemoteFiles

  /** The same folder as another process sees it after this one's death. */
  def afterCrash(files: RemoteFiles): RemoteFiles

  private def write(files: RemoteFiles, name: String, text: String): Unit = {
    val output = files.create(name)
    output.write(text.getBytes(UTF_8))
    output.publish()
  }

  private def read(files: RemoteFiles, name: String): String = {
    val input = files.open(name)
    try new String(input.stream.readAllBytes(), UTF_8)
    finally input.close()
  }

  private def names(files: RemoteFiles, folder: String = ""): Seq[String] = files.list(folder).map(_.name).sorted

  test("1: a created file is invisible until it is published") {
    val files = emptyFolder()
    val output = files.create("1.delta")
    output.write("half".getBytes(UTF_8))
    output.flush()
    assert(names(files).isEmpty)
    intercept[NotFound](files.open("1.delta"))
    output.publish()
    assert(names(files) == Seq("1.delta"))
    assert(read(files, "1.delta") == "half")
  }

  test("1: a crash before publishing leaves nothing under the name") {
    val files = emptyFolder()
    val output = files.create("1.delta")
    output.write("half".getBytes(UTF_8))
    val later = afterCrash(files)
    assert(names(later).isEmpty)
    intercept[NotFound](later.open("1.delta"))
    output.cancel()
  }

  test("1: a cancelled file never appears") {
    val files = emptyFolder()
    val output = files.create("1.delta")
    output.write(1)
    output.cancel()
    output.cancel()
    assert(names(files).isEmpty)
  }

  test("1: closing an output cancels it") {
    val files = emptyFolder()
    files.create("1.delta").close()
    assert(names(files).isEmpty)
  }

  test("1: a file cancelled over an existing one leaves that as it was") {
    val files = emptyFolder()
    write(files, "1.delta", "old")
    val output = files.create("1.delta")
    output.write("new".getBytes(UTF_8))
    output.cancel()
    assert(read(files, "1.delta") == "old")
  }

  test("publishing after cancelling is refused and makes nothing visible") {
    val files = emptyFolder()
    val output = files.create("1.delta")
    output.cancel()
    intercept[Misuse](output.publish())
    assert(names(files).isEmpty)
  }

  test("cancelling and closing after publishing do nothing") {
    val files = emptyFolder()
    val output = files.create("1.delta")
    output.write("kept".getBytes(UTF_8))
    output.publish()
    output.cancel()
    output.close()
    assert(read(files, "1.delta") == "kept")
  }

  test("2: a published file survives a crash, bytes and length") {
    val files = emptyFolder()
    write(files, "1.delta", "kept")
    val later = afterCrash(files)
    assert(read(later, "1.delta") == "kept")
    assert(later.list("").map(file => file.name -> file.length) == Seq("1.delta" -> 4L))
  }

  test("3: publishing over an existing name replaces it") {
    val files = emptyFolder()
    write(files, "1.delta", "a first and long text")
    write(files, "1.delta", "second")
    assert(read(files, "1.delta") == "second")
    assert(files.list("").map(_.length) == Seq(6L))
  }

  test("3: of two outputs of one name the last to publish stays") {
    val files = emptyFolder()
    val (first, second) = (files.create("1.delta"), files.create("1.delta"))
    first.write("first".getBytes(UTF_8))
    second.write("second".getBytes(UTF_8))
    second.publish()
    first.publish()
    assert(read(files, "1.delta") == "first")
  }

  test("3: an output that finds its name taken may still replace that file, or leave it") {
    val files = emptyFolder()
    val (first, second, third) = (files.create("1.delta"), files.create("1.delta"), files.create("1.delta"))
    Seq(first -> "first", second -> "second", third -> "third").foreach { case (output, text) =>
      output.write(text.getBytes(UTF_8))
    }
    assert(first.publishIfAbsent() && !second.publishIfAbsent() && !third.publishIfAbsent())
    assert(read(files, "1.delta") == "first")
    second.publish()
    third.cancel()
    assert(read(files, "1.delta") == "second" && names(files) == Seq("1.delta"))
  }

  test("3: readers beside a replacing writer see the old bytes or the new") {
    val files = emptyFolder()
    val texts = Vector("a", "b").map(_ * 100000)
    write(files, "1.delta", texts(0))
    inThreads(2) { thread =>
      (1 to 20).map(turn =>
        if (thread == 0) { write(files, "1.delta", texts(turn % 2)); texts(0) }
        else read(files, "1.delta")
      )
    }.flatten.foreach(seen => assert(texts.contains(seen), s"a mixture of ${seen.length} bytes"))
  }

  test("4: a published file is listed with its length and a time of change") {
    val before = System.currentTimeMillis()
    val files = emptyFolder()
    write(files, "1.delta", "12345")
    val file = files.list("").head
    assert(files.list("").size == 1 && file.name == "1.delta" && file.length == 5)
    // Some file systems keep whole seconds only, and their clock may be a little behind.
    assert(file.modifiedMillis > before - 5000 && file.modifiedMillis < System.currentTimeMillis() + 5000)
  }

  test("a file in a nested folder needs no folder beforehand and is listed only there") {
    val files = emptyFolder()
    write(files, "sst/ab12.sst", "table")
    write(files, "1.delta", "delta")
    assert(names(files) == Seq("1.delta"))
    assert(names(files, "sst") == Seq("ab12.sst"))
    assert(read(files, "sst/ab12.sst") == "table")
  }

  test("a folder that is not there lists as empty") {
    assert(emptyFolder().list("").isEmpty)
    assert(emptyFolder().list("sst").isEmpty)
  }

  test("a listing leaves out files that are still being written") {
    val files = emptyFolder()
    write(files, "sst/a.sst", "a")
    val output = files.create("sst/b.sst")
    output.write(new Array[Byte](100000))
    output.flush()
    assert(names(files, "sst") == Seq("a.sst"))
    output.cancel()
  }

  test("opening a file that is not there is NotFound and names it") {
    assert(intercept[NotFound](emptyFolder().open("7.delta")).file.contains("7.delta"))
  }

  test("a deleted file is gone, and deleting it again is no error") {
    val files = emptyFolder()
    write(files, "1.delta", "1")
    write(files, "2.delta", "2")
    files.delete("1.delta")
    files.delete("1.delta")
    assert(names(files) == Seq("2.delta"))
    intercept[NotFound](files.open("1.delta"))
  }

  test("many files are deleted as one is, those that are not there too, and no others") {
    val files = emptyFolder()
    val own = Seq("1.delta", "2_a-b.delta", "2_a-b.snapshot", "sst/ab12.sst")
    (own :+ "3.delta").foreach(write(files, _, "text"))
    files.deleteAll(own ++ Seq("4.delta", "1.delta"))
    assert(names(files) == Seq("3.delta") && names(files, "sst").isEmpty)
    files.deleteAll(Nil)
    assert(names(files) == Seq("3.delta"))
  }

  test("a file that was listed before it was deleted is not found") {
    val files = emptyFolder()
    val own = Seq("1.delta", "2_a-b.delta", "2_a-b.snapshot")
    own.foreach(write(files, _, "text"))
    assert(names(files) == own)
    own.foreach { name =>
      assert(read(files, name) == "text")
      files.delete(name)
      intercept[NotFound](read(files, name))
      intercept[NotFound](Using.resource(files.openUnmeasured(name))(_.stream.read()))
    }
  }

  test("the start of a file can be read without its length, and that of a missing one is not found") {
    val files = emptyFolder()
    write(files, "1.delta", "start and rest")
    val start = Using.resource(files.openUnmeasured("1.delta"))(_.stream.readNBytes(5))
    assert(new String(start, UTF_8) == "start")
    intercept[NotFound](files.openUnmeasured("2.delta"))
  }

  test("an empty file and one of a megabyte read back as written") {
    val files = emptyFolder()
    Seq("1.delta" -> 0, "2.delta" -> (1 << 20)).foreach { case (name, size) =>
      val bytes = Array.tabulate(size)(i => (i * 31).toByte)
      val output = files.create(name)
      output.write(bytes, 0, size / 2)
      output.write(bytes, size / 2, size - size / 2)
      output.publish()
      val input = files.open(name)
      try {
        assert(input.length == size)
        assert(input.stream.readAllBytes().sameElements(bytes))
      } finally input.close()
    }
  }

  test("names that leave the folder are refused") {
    val files = emptyFolder()
    val names = Seq(
      "../1.delta",
      "sst/../../1.delta",
      "/1.delta",
      "file:/1.delta",
      "sst//a.sst",
      "..\\1.delta",
      "sst/",
      ".",
      "..",
      ".hidden"
    )
    names.foreach { name =>
      withClue(name) {
        intercept[Misuse](files.create(name))
        intercept[Misuse](files.open(name))
        intercept[Misuse](files.delete(name))
        intercept[Misuse](files.list(name))
      }
    }
    intercept[Misuse](files.create(""))
  }

  test("files published from several threads are all there") {
    val files = emptyFolder()
    inThreads(4)(thread => (1 to 10).foreach(i => write(files, s"${thread * 10 + i}.delta", s"$thread $i")))
    assert(names(files) == (1 to 40).map(i => s"$i.delta").sorted)
  }

  private def inThreads[A](threads: Int)(body: Int => A): Seq[A] = {
    val pool = Executors.newFixedThreadPool(threads)
    try {
      val calls = (0 until threads).map(thread => (() => body(thread)): Callable[A])
      pool.invokeAll(calls.asJava).asScala.map(_.get()).toSeq
    } finally {
      pool.shutdownNow()
      pool.awaitTermination(10, TimeUnit.SECONDS)
      ()
    }
  }
}

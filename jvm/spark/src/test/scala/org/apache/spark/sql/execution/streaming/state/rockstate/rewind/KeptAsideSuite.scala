package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.io.IOException
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path, RawLocalFileSystem}
import org.scalatest.BeforeAndAfterEach
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Journal

import io.rockstate.errors.{Misuse, Unavailable}

class KeptAsideSuite extends AnyFunSuite with BeforeAndAfterEach {
  private val conf = new Configuration(false)
  conf.set("fs.file.impl", classOf[FarFiles].getName)
  conf.setBoolean("fs.file.impl.disable.cache", true)

  private val Stores = 20
  private val Versions = 10

  /** Stores, each with the files of its versions, the newest first. */
  private val lists = (0 until Stores).toVector.map { store =>
    (Versions to 1 by -1).toVector.map(version => s"state/0/$store/$version.delta")
  }

  override def beforeEach(): Unit = FarFiles.reset()

  private def checkpoint(): Path = {
    val folder = Files.createTempDirectory("kept-aside")
    lists.flatten.foreach { name =>
      Files.createDirectories(folder.resolve(name).getParent)
      Files.writeString(folder.resolve(name), name)
    }
    new Path(folder.toUri)
  }

  private def exists(checkpoint: Path, name: String): Boolean =
    Files.exists(java.nio.file.Path.of(checkpoint.toUri).resolve(name))

  private def kept(name: String): String = s"kept/$name"

  private def renamed: Vector[String] = FarFiles.renamed.asScala.toVector

  test("files of many stores are moved at the same time, those of a store in their order") {
    val folder = checkpoint()
    val moved = new AtomicInteger
    new KeptAside(folder, conf, () => moved.incrementAndGet(): Unit).move(lists, isAgain = false)(kept)
    assert(lists.flatten.forall(name => exists(folder, kept(name)) && !exists(folder, name)))
    assert(moved.get == Stores * Versions)
    lists.foreach(list => assert(renamed.filter(list.contains) == list))
    assert(FarFiles.most.get > 1 && FarFiles.most.get <= KeptAside.Threads)
  }

  test("after a failure none begins, and none is on its way when it is thrown") {
    val folder = checkpoint()
    FarFiles.failAt = Some(30)
    intercept[IOException](new KeptAside(folder, conf).move(lists, isAgain = false)(kept))
    assert(FarFiles.busy.get == 0)
    val before = renamed
    assert(before.size < 30 + KeptAside.Threads)
    lists.foreach(list => assert(renamed.filter(list.contains) == list.take(renamed.count(list.contains))))
    Thread.sleep(50)
    assert(renamed == before)
  }

  test("what an earlier attempt has left is moved, over what it has left at the new place") {
    val folder = checkpoint()
    val (first, second) = (lists.head.head, lists.head(1))
    val mover = new KeptAside(folder, conf)
    mover.move(Vector(Vector(first)), isAgain = false)(kept)
    val half = java.nio.file.Path.of(folder.toUri).resolve(kept(second))
    Files.writeString(half, "half of")
    mover.move(lists, isAgain = true)(kept)
    assert(Files.readString(half) == second && exists(folder, kept(first)))
  }

  test("a file that is gone meanwhile is none to move") {
    val folder = checkpoint()
    new KeptAside(folder, conf).move(Vector(Vector("state/0/0/11.delta", lists.head.head)), isAgain = false)(kept)
    assert(exists(folder, kept(lists.head.head)))
  }

  test("a file that another run moves at the same time is not deleted at its new place") {
    val folder = checkpoint()
    val name = lists.head.head
    // The other one moves it between the look at its old place and the next call.
    FarFiles.meanwhile =
      Some(name -> (() => new KeptAside(folder, conf).move(Vector(Vector(name)), isAgain = false)(kept)))
    new KeptAside(folder, conf).move(Vector(Vector(name)), isAgain = true)(kept)
    assert(exists(folder, kept(name)))
  }

  test("a file that another attempt moves at the same time, over half of it, is not deleted at its new place") {
    val folder = checkpoint()
    val name = lists.head.head
    val there = java.nio.file.Path.of(folder.toUri).resolve(kept(name))
    Files.createDirectories(there.getParent)
    Files.writeString(there, "half of")
    // The other one brings it right after the look at its new place.
    FarFiles.meanwhile =
      Some(kept(name) -> (() => new KeptAside(folder, conf).move(Vector(Vector(name)), isAgain = true)(kept)))
    new KeptAside(folder, conf).move(Vector(Vector(name)), isAgain = true)(kept)
    assert(Files.readString(there) == name)
    assert(new KeptAside(folder, conf).filesIn(KeptAside.Root).isEmpty)
  }

  test("what is stopped moves no other file, throws when none is on its way, and is finished by the next run") {
    val folder = checkpoint()
    val moved = new AtomicInteger
    lazy val mover: KeptAside =
      new KeptAside(folder, conf, () => if (moved.incrementAndGet() >= 30) mover.stop())
    intercept[Unavailable](mover.move(lists, isAgain = false)(kept))
    assert(FarFiles.busy.get == 0 && renamed.size < 30 + KeptAside.Threads)
    new KeptAside(folder, conf).move(lists, isAgain = true)(kept)
    assert(lists.flatten.forall(name => exists(folder, kept(name)) && !exists(folder, name)))
  }

  test("what is stopped before the first file leaves no journal") {
    val folder = checkpoint()
    Files.writeString(java.nio.file.Path.of(folder.toUri).resolve("metadata"), "{}")
    val mover = new KeptAside(folder, conf)
    mover.stop()
    intercept[Unavailable](
      mover.journaled(Journal(1, "kept", isRollback = true))(_ => mover.move(lists, isAgain = false)(kept))
    )
    assert(exists(folder, "metadata") && mover.journal.isEmpty)
  }

  test("a rollback does not go on with another one's journal") {
    val folder = checkpoint()
    Files.writeString(java.nio.file.Path.of(folder.toUri).resolve("metadata"), "{}")
    val (own, other) = (Journal(1, "kept", isRollback = true), Journal(2, "kept", isRollback = true))
    intercept[IOException](new KeptAside(folder, conf).journaled(other)(_ => throw new IOException("cut off")))
    val failure = intercept[Misuse](new KeptAside(folder, conf).journaled(own)(_ => fail("it moves files")))
    assert(failure.problem.contains("A rollback to batch 2 was cut off"))
    assert(new KeptAside(folder, conf).journal.contains(other))
  }

  test("of two runs that begin at once neither deletes the id that the other has just put away") {
    val folder = checkpoint()
    val entry = Journal(1, "kept", isRollback = true)
    val metadata = java.nio.file.Path.of(folder.toUri).resolve("metadata")
    val own = """{"id":"own"}"""
    Files.writeString(metadata, own)
    intercept[IOException](new KeptAside(folder, conf).journaled(entry) { _ =>
      Files.move(metadata.resolveSibling("rockstate-metadata-away"), metadata) // as if it had not come to that yet
      throw new IOException("cut off")
    })
    // The other one puts it away when this one has seen that it is not.
    FarFiles.meanwhile = Some(
      "rockstate-metadata-away opened" -> (() =>
        Files.move(metadata, metadata.resolveSibling("rockstate-metadata-away")): Unit
      )
    )
    new KeptAside(folder, conf).journaled(entry)(isAgain => assert(isAgain))
    assert(Files.readString(metadata) == own)
  }

  test("the id that a query had stays, though Spark gave it another while a rollback was cut off") {
    val folder = checkpoint()
    val entry = Journal(1, "kept", isRollback = true)
    val metadata = java.nio.file.Path.of(folder.toUri).resolve("metadata")
    val (own, other) = ("""{"id":"own"}""", """{"id":"another"}""")
    Files.writeString(metadata, own)
    intercept[IOException](new KeptAside(folder, conf).journaled(entry)(_ => throw new IOException("cut off")))
    Files.writeString(metadata, other)
    new KeptAside(folder, conf).journaled(entry)(isAgain => assert(isAgain))
    assert(Files.readString(metadata) == own)
  }
}

/** Local files that are some milliseconds away. */
class FarFiles extends RawLocalFileSystem {
  import FarFiles._

  override def rename(from: Path, to: Path): Boolean = far {
    if (failAt.exists(_ <= begun.getAndIncrement())) throw new IOException("not today")
    val isDone = !pathToFile(to).exists && super.rename(from, to) // as HDFS: not over what is there
    if (isDone) renamed.add(from.toUri.getPath.replaceFirst(".*/(state/.*)", "$1"))
    isDone
  }

  override def getFileStatus(path: Path): FileStatus = far(super.getFileStatus(path))

  override def exists(path: Path): Boolean = {
    val found = far(super.exists(path))
    othersAct(path.toUri.getPath)
    found
  }

  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    try super.open(path, bufferSize)
    finally othersAct(s"${path.toUri.getPath} opened")

  private def othersAct(name: String): Unit =
    meanwhile.filter(m => name.endsWith(s"/${m._1}") && name.contains("/kept/") == m._1.startsWith("kept/")).foreach {
      case (_, does) =>
        meanwhile = None
        does()
    }

  override def delete(path: Path, recursive: Boolean): Boolean = far(super.delete(path, recursive))

  private def far[T](call: => T): T = {
    most.accumulateAndGet(busy.incrementAndGet(), (one, other) => one.max(other))
    try {
      Thread.sleep(millis)
      call
    } finally busy.decrementAndGet(): Unit
  }
}

object FarFiles {
  @volatile var millis: Long = 5
  @volatile var failAt = Option.empty[Int]

  /** What somebody else does once, right after a look at a file, by its name, or into it: "name opened". */
  @volatile var meanwhile = Option.empty[(String, () => Unit)]
  val begun, busy, most = new AtomicInteger
  val renamed = new ConcurrentLinkedQueue[String]

  def reset(): Unit = {
    failAt = None
    meanwhile = None
    Seq(begun, busy, most).foreach(_.set(0))
    renamed.clear()
  }
}

package io.rockstate.engine.storage

import java.nio.file.{FileSystemException, Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{CorruptFile, NotFound, StateStoreException, Unavailable}
import io.rockstate.files.RemoteFiles
import io.rockstate.folders.{StoreFolder, Trees}
import io.rockstate.format.snapshot.TableFile
import io.rockstate.testkit.{Calls, Damage, FailBefore, FaultyFiles, MemoryFiles, RecordingFiles}
import io.rockstate.testkit.RemoteOperation._

/** Table files on their way between a local disk and storage. */
class TableFilesSuite extends AnyFunSuite {
  private val sound = (_: Path) => ()
  private val content = Array.tabulate(300000)(i => (i * 7).toByte)

  /** A machine with an empty disk of its own. */
  private final class Machine(files: RemoteFiles) {
    private val root = Files.createTempDirectory("rockstate-tables")
    val local = new LocalFolder(StoreFolder.passing(root.resolve("store")))
    val tables = new TableFiles(files, local)

    def newFile(name: String): Path = Files.write(local.newDatabase().resolve(name), content)
    def held: Seq[Path] = Trees.children(local.path.resolve("tables"))
    def close(): Unit = Trees.delete(root)
  }

  private def withMachines(files: RemoteFiles*)(body: Seq[Machine] => Unit): Unit = {
    val machines = files.map(new Machine(_))
    try body(machines)
    finally machines.foreach(_.close())
  }

  test("a table file that one machine stores is what another fetches, once") {
    val memory = new MemoryFiles
    val recording = new RecordingFiles(memory)
    withMachines(memory, recording) { machines =>
      val Seq(here, there) = machines: @unchecked
      val table = here.tables.upload(here.newFile("000012.sst"))(sound)
      assert(
        table.localName == "000012.sst" && table.length == content.length && memory.names == Vector(table.remoteName)
      )
      assert(there.tables.fetch(table) && !there.tables.fetch(table))
      assert(recording.count("open") == 1)
      val database = there.local.newDatabase()
      there.tables.link(table, database)
      assert(Files.readAllBytes(database.resolve("000012.sst")).sameElements(content))
      there.local.retainTables(Nil)
      assert(Files.exists(database.resolve("000012.sst")), "a database's own link stays")
    }
  }

  test("who has stored a table file need not fetch it, and every one has a name of its own") {
    val recording = new RecordingFiles(new MemoryFiles)
    withMachines(recording) { machines =>
      val stored = Seq.fill(2)(machines.head.tables.upload(machines.head.newFile("000012.sst"))(sound))
      assert(stored.map(_.remoteName).distinct.size == 2 && stored.map(_.crc32c).distinct.size == 1)
      assert(!stored.exists(machines.head.tables.fetch) && recording.count("open") == 0)
    }
  }

  test("a local file of another length is fetched anew") {
    val memory = new MemoryFiles
    withMachines(memory, memory) { machines =>
      val Seq(here, there) = machines: @unchecked
      val table = here.tables.upload(here.newFile("1.sst"))(sound)
      Files.write(there.local.table(table.remoteName), content.take(5))
      assert(there.tables.fetch(table))
      assert(Files.readAllBytes(there.local.table(table.remoteName)).sameElements(content))
    }
  }

  (Damage.all.filter(_ != Damage.Deleted) :+ Damage.Altered(200000)).foreach { damage =>
    test(s"a table file that is $damage in storage is named, and nothing of it stays") {
      val memory = new MemoryFiles
      withMachines(memory, memory) { machines =>
        val Seq(here, there) = machines: @unchecked
        val table = here.tables.upload(here.newFile("1.sst"))(sound)
        damage.inflict(memory, table.remoteName)
        fails[CorruptFile](there, table)
      }
    }
  }

  test("a table file that is gone, or whose transfer breaks off, leaves nothing behind") {
    val memory = new MemoryFiles
    val breaking = new FaultyFiles(memory, FailBefore(Calls.of(Read).nth(2)))
    withMachines(memory, memory, breaking) { machines =>
      val Seq(here, there, brittle) = machines: @unchecked
      val table = here.tables.upload(here.newFile("1.sst"))(sound)
      fails[Unavailable](brittle, table)
      assert(brittle.tables.fetch(table), "the next attempt does it")
      memory.delete(table.remoteName)
      fails[NotFound](there, table)
    }
  }

  test("an upload that fails leaves no file in storage, and none kept for it here") {
    val memory = new MemoryFiles
    Seq(Create, Write, Publish).foreach { operation =>
      withMachines(new FaultyFiles(memory, FailBefore(Calls.of(operation)))) { machines =>
        assertThrows[Unavailable](machines.head.tables.upload(machines.head.newFile("1.sst"))(sound))
        assert(memory.names.isEmpty && machines.head.held.isEmpty)
      }
    }
  }

  test("on a disk without links a table file is copied, unless it is there or cannot be read") {
    withMachines(new MemoryFiles) { machines =>
      val local = machines.head.local
      val tables = new TableFiles(new MemoryFiles, local) {
        override protected def link(table: Path, place: Path): Unit =
          throw new FileSystemException(place.toString, table.toString, "Operation not supported")
      }
      val table = tables.upload(machines.head.newFile("000012.sst"))(sound)
      Files.write(local.table(table.remoteName), content)
      val database = local.newDatabase()
      tables.link(table, database)
      assert(Files.readAllBytes(database.resolve("000012.sst")).sameElements(content))
      Files.delete(local.table(table.remoteName))
      val failure = intercept[Unavailable](tables.link(table, local.newDatabase()))
      assert(failure.file.exists(_.startsWith(local.path.toString)))
    }
  }

  private def fails[E <: StateStoreException: reflect.ClassTag](machine: Machine, table: TableFile): Unit = {
    val error = intercept[E](machine.tables.fetch(table))
    assert(error.file.exists(_.endsWith(table.remoteName)) && machine.held.isEmpty)
  }
}

package io.rockstate.engine.storage

import java.io.IOException
import java.nio.file.{ClosedFileSystemException, FileSystems, Files, Path}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{Misuse, StateStoreException, Unavailable}
import io.rockstate.folders.{StoreFolder, Trees}

class LocalFolderSuite extends AnyFunSuite {
  private def withFolder(body: LocalFolder => Unit): Unit = {
    val local = new LocalFolder(StoreFolder.passing(Files.createTempDirectory("rockstate-folder").resolve("store")))
    try body(local)
    finally Trees.delete(local.path.getParent)
  }

  private def tables(local: LocalFolder): Seq[String] =
    Trees.children(local.path.resolve("tables")).map(_.getFileName.toString).sorted

  private def fill(local: LocalFolder, names: String*): Unit =
    names.foreach(name => Files.writeString(local.table(s"sst/$name"), name))

  test("databases and checkpoints have folders of their own, of which only the databases' are there") {
    withFolder { local =>
      val databases = Seq.fill(3)(local.newDatabase())
      val others = Seq(local.newCheckpoint(), local.newCheckpoint(), local.newPartial(), local.newPartial())
      assert((databases ++ others).distinct.size == 7)
      assert(databases.forall(Files.isDirectory(_)) && !others.exists(Files.exists(_)))
    }
  }

  test("a database that cannot be deleted when it is closed is no error, one that is to go is") {
    val archive = Files.createTempDirectory("rockstate-folder").resolve("disk.zip")
    try {
      val disk = FileSystems.newFileSystem(archive, Map("create" -> "true").asJava)
      val local = new LocalFolder(StoreFolder.passing(disk.getPath("/store")))
      val (closed, discarded) = (local.newDatabase(), local.newDatabase())
      disk.close() // fails in all that is asked of it
      local.discard(discarded)
      local.closed(closed)
      assertThrows[ClosedFileSystemException](local.discard(closed))
    } finally Trees.delete(archive.getParent)
  }

  test("table files that nobody wants or uses are deleted, those on their way here are not") {
    withFolder { local =>
      fill(local, "a.sst", "b.sst", "c.sst")
      val partial = Files.createFile(local.newPartial())
      local.usingTables(Seq("sst/b.sst")) {
        local.retainTables(Seq("sst/a.sst", "sst/elsewhere.sst"))
        assert(tables(local) == Seq("a.sst", "b.sst", partial.getFileName.toString))
      }
      local.retainTables(Seq("sst/a.sst"))
      assert(tables(local) == Seq("a.sst", partial.getFileName.toString))
    }
  }

  test("a table file is in use until the last of its users is done, whether it was there at first or not") {
    withFolder { local =>
      local.usingTables(Seq("sst/a.sst", "sst/b.sst")) {
        assertThrows[IllegalStateException](local.usingTables(Seq("sst/a.sst"))(throw new IllegalStateException))
        fill(local, "a.sst", "b.sst")
        local.retainTables(Nil)
        assert(tables(local) == Seq("a.sst", "b.sst"))
      }
      local.retainTables(Nil)
      assert(tables(local).isEmpty)
    }
  }

  test("a folder is deleted with all it holds, and one that is not there is no error") {
    withFolder { local =>
      val database = local.newDatabase()
      Files.writeString(Files.createDirectories(database.resolve("deep/deeper")).resolve("file"), "x")
      Trees.delete(database)
      assert(!Files.exists(database) && Files.exists(local.path))
      Trees.delete(database)
      local.close()
      assert(!Files.exists(local.path))
    }
  }

  test("room is made where the local disk failed, and not where storage did") {
    val place = Files.createTempDirectory("rockstate-folder").resolve("store")
    var asked = 0
    val local = new LocalFolder(new StoreFolder {
      override def path: Path = place
      override def isKept: Boolean = false
      override def keep(): Unit = delete()
      override def putBack(): Unit = delete()
      override def delete(): Unit = Trees.delete(place.getParent)
      override def makeRoom(): Unit = asked += 1
    })
    def failing(place: String) = intercept[StateStoreException] {
      local.makingRoom(throw new Unavailable("It failed", "Wait.", Some(place)))
    }
    val database = local.newDatabase().toString
    assert(failing("memory:/store/1.delta").isInstanceOf[Unavailable] && asked == 0)
    assert(failing(database).isInstanceOf[Unavailable] && asked == 1)
    Thread.currentThread.interrupt() // which closes files
    try assert(failing(database).isInstanceOf[Unavailable] && asked == 1)
    finally { val _ = Thread.interrupted() }
    local.close()
    assert(failing(database).isInstanceOf[Misuse] && asked == 1, "it fails because the folder is gone")
  }

  test("what comes to a store's folder after it was closed goes with the last of its databases") {
    withFolder { local =>
      val (first, last) = (local.newDatabase(), local.newDatabase())
      local.close()
      Files.createDirectories(local.path.resolve("tables"))
      fill(local, "late")
      local.closed(first)
      assert(tables(local) == Seq("late"), "somebody may link it")
      local.closed(last)
      assert(!Files.exists(local.path))
    }
  }

  test("a store that was closed opens no database any more: its folder may be another's by now") {
    withFolder { local =>
      local.close()
      intercept[Misuse](local.newDatabase())
      assert(!Files.exists(local.path))
    }
  }

  test("a failure of the disk is told with the place, and any other as it is") {
    val place = Path.of("some/where")
    val error = intercept[Unavailable](LocalFolder.onDisk(place)(throw new IOException("No space left on device")))
    assert(error.file.contains(place.toString) && error.problem.contains("No space left on device"))
    assertThrows[IllegalStateException](LocalFolder.onDisk(place)(throw new IllegalStateException))
  }

  test("too many open files are told as that, and not as a failure of the disk") {
    val error = intercept[Unavailable](
      LocalFolder.onDisk(Path.of("some/where"))(throw new IOException("some/where: Too many open files"))
    )
    assert(error.file.isEmpty && error.remedy.contains("ulimit -n"))
  }
}

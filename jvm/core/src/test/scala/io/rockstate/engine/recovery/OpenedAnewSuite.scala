package io.rockstate.engine.recovery

import java.nio.file.Files
import java.util.concurrent.{CompletableFuture, TimeUnit}

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.db.NativeMemory
import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.{Applier, DeltaSize, Layers, LocalNotes}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.folders.{StoreFolder, Trees}
import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}
import io.rockstate.inspect.StoreInspector
import io.rockstate.testkit._
import io.rockstate.testkit.RemoteOperation.Create
import io.rockstate.versions.StateVersion

import EngineUnderTest.{AllOfIt, AmpleHeap, Found, NoHeap, Nothing}
import Rows._

/** A database that has more rows than there is room for their filters: its files are opened once more, without those of the last level. */
class OpenedAnewSuite extends AnyFunSuite with ClosesHandles {
  private val settings = EngineSettings(checkpointIds = true, minDeltasForSnapshot = 2)
  private val all = (1 to 300).map(i => f"row$i%03d" -> s"value $i")

  test("the next transaction opens it anew, once, and those that are under way go on") {
    withEngine() { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      assert(databases(engine) == Seq("db-1"))
      files.take()
      val first = engine.begin(one)
      assert(databases(engine) == Seq("db-2"))
      first.putRow("row001", "first")
      val second = engine.begin(one)
      val two = first.commit()
      assert(second.rows == all)
      second.putRow("row001", "second")
      val other = second.commit()
      assert(rowsAt(engine, two) == ("row001" -> "first") +: all.drop(1))
      assert(databases(engine) == Seq("db-2"))
      assert(files.take().map(_.split(" ").head).distinct == Vector("create", "publish"))
      assert(rowsAt(engine, other) == ("row001" -> "second") +: all.drop(1))
    }
  }

  test("a transaction that began before goes on with the database that it began on") {
    withEngine(room = 400) { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all.take(150))
      val late = engine.begin(one)
      val two = commit(engine, one, all.drop(150))
      val anew = engine.begin(two)
      assert(databases(engine) == Seq("db-1", "db-2"))
      assert(late.rows == all.take(150) && anew.rows == all)
      Seq(late, anew).foreach(_.abort())
      assert(databases(engine) == Seq("db-2") && rowsAt(engine, two) == all)
    }
  }

  test("it goes back to the same snapshot in storage, with the same deltas since") {
    val local = new LocalFolder(StoreFolder.passing(Files.createTempDirectory("rockstate-anew")))
    val applier = new Applier
    val databases = new NewDatabase(local, SharedMemory(NativeMemory.apart(17), new HeapMemory(NoHeap)), applier)
    val loaded = databases.emptyAt(0)
    def advance(value: String) = {
      val head = loaded.head
      val next = head.copy(version = head.version + 1, commitId = value)
      assert(loaded.advance(head, next, DeltaSize(10, 1), Layers.put("a", value)))
    }
    advance("one")
    val table = TableFile("sst/a.sst", "000008.sst", 10, 1)
    val head = loaded.head
    loaded.noteSnapshot(
      SnapshotManifest(1, "one", 0, head.columnFamilies, Vector.empty, Vector(table), settings.rowLayout)
    )
    advance("two")
    val anew = databases.openedAnew(loaded).get
    try {
      assert(anew.folder != loaded.folder && anew.head == loaded.head)
      assert(anew.toReplay == loaded.toReplay && anew.lastSnapshot.tables == Vector(table))
      assert(LocalNotes.snapshot(anew.folder) == LocalNotes.snapshot(loaded.folder))
    } finally {
      Seq(anew, loaded).foreach(_.release())
      applier.close()
      local.close()
    }
  }

  test("a snapshot that is stored meanwhile of the one before has table files of the same names, and other rows") {
    val gate = new Gate
    val memory = new MemoryFiles
    val held = new FaultyFiles(memory, Hold(Calls.of(Create).named("*.snapshot").nth(1), gate))
    val four = Using.resource(new EngineUnderTest(held, settings, NoHeap, native = NativeMemory.apart(400))) { engine =>
      val one = commit(engine, StateVersion.Empty, all.take(150))
      val two = commit(engine, one, Seq("row001" -> "two"))
      engine.requestSnapshot()
      val storing = CompletableFuture.supplyAsync(() => engine.maintained().snapshot)
      gate.awaitArrival()
      val three = commit(engine, two, all.drop(150))
      assert(databases(engine) == Seq("db-1"))
      val four = commit(engine, three, Seq("row002" -> "four"))
      assert(databases(engine).size == 2)
      gate.open()
      assert(storing.get(10, TimeUnit.SECONDS).contains(two))
      engine.requestSnapshot()
      assert(engine.maintained().snapshot.contains(four))
      four
    }
    assert(new StoreInspector(memory).verify().problems.isEmpty)
    Using.resource(new EngineUnderTest(memory, settings)) { fresh =>
      assert(rowsAt(fresh, four) == Seq("row001" -> "two", "row002" -> "four") ++ all.drop(2))
    }
  }

  test("a warm restart goes on from it, and opens it as it was") {
    withEngine(AllOfIt) { (engine, files) =>
      val one = commit(engine, StateVersion.Empty, all)
      val two = commit(engine, one, Seq("row001" -> "new"))
      engine.requestSnapshot()
      engine.maintain()
      engine.restart()
      files.take()
      val before = databases(engine)
      assert(rowsAt(engine, two) == ("row001" -> "new") +: all.drop(1))
      assert(files.take().isEmpty && databases(engine) == before)
    }
  }

  test("one that has committed on the database before takes it back, and that is opened anew, too") {
    val native = NativeMemory.apart(400)
    Using.Manager { use =>
      val engine = use(new EngineUnderTest(new MemoryFiles, settings, NoHeap, native = native))
      val other = use(new EngineUnderTest(new MemoryFiles, settings, NoHeap, native = native))
      val one = commit(engine, StateVersion.Empty, all.take(150))
      val before = engine.begin(one)
      other.begin(commit(other, StateVersion.Empty, all)).abort()
      engine.begin(one).abort()
      assert(databases(engine) == Seq("db-1", "db-2"))
      before.putRow("row001", "new")
      val two = before.commit()
      assert(databases(engine) == Seq("db-1"))
      assert(rowsAt(engine, two) == ("row001" -> "new") +: all.take(150).drop(1))
      assert(databases(engine) == Seq("db-3"))
    }.get
  }

  test("one whose rows are all in the read cache stays") {
    Using.resource(new EngineUnderTest(new MemoryFiles, settings, AmpleHeap, native = NativeMemory.apart(17))) {
      engine =>
        val one = commit(engine, StateVersion.Empty, all)
        assert(rowsAt(engine, one) == all && databases(engine) == Seq("db-1"))
    }
  }

  test("one that cannot be opened anew goes on") {
    withEngine() { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all)
      Files.createFile(engine.localFolder.resolve("db-2"))
      val two = commit(engine, one, Seq("row001" -> "new"))
      assert(rowsAt(engine, two) == ("row001" -> "new") +: all.drop(1))
      assert(databases(engine) == Seq("db-1"), "it was not tried")
    }
  }

  test("a task that is killed meanwhile leaves it to the next") {
    withEngine() { (engine, _) =>
      val one = commit(engine, StateVersion.Empty, all)
      Thread.currentThread.interrupt()
      intercept[InterruptedException](engine.begin(one))
      assert(databases(engine) == Seq("db-1"))
      assert(rowsAt(engine, one) == all && databases(engine) == Seq("db-3"))
    }
  }

  private def withEngine(found: Found = Nothing, room: Long = 17)(
      body: (EngineUnderTest, RecordingFiles) => Unit
  ): Unit = {
    val files = new RecordingFiles(new MemoryFiles)
    val native = NativeMemory.apart(room)
    Using.resource(new EngineUnderTest(files, settings, NoHeap, found, native))(body(_, files))
  }

  private def databases(engine: EngineUnderTest): Seq[String] =
    Trees.children(engine.localFolder).map(_.getFileName.toString).filter(_.startsWith("db-")).sorted
}

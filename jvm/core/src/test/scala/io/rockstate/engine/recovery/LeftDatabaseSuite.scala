package io.rockstate.engine.recovery

import java.nio.file.{Files, Path}

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.db.{LocalDb, NativeMemory, WriteBatches}
import io.rockstate.engine.loaded.{Applier, LocalNotes, ReplayedDeltas}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.errors.Unavailable
import io.rockstate.folders.{StoreFolder, Trees}
import io.rockstate.testkit.ClosesHandles
import io.rockstate.versions.CommittedVersion

/** The database that an earlier engine left, when it is looked for again. */
class LeftDatabaseSuite extends AnyFunSuite with ClosesHandles {
  private val native = NativeMemory.shared(64L << 20)

  /** A store's folder with a database that holds version 3. */
  private def filled(store: Path): Unit = {
    val database = Files.createDirectories(store.resolve("db-1"))
    Using.resource(LocalDb.open(database, native)) { db =>
      val batches = new WriteBatches(db.write)
      batches.finish(CommittedVersion.RecordKey, CommittedVersion.emptyAt(3).toBytes)
      db.flush()
    }
    LocalNotes.writeReplay(database, ReplayedDeltas.none)
  }

  test("the end of the JVM while it is opened leaves it for the next one") {
    val root = Files.createTempDirectory("rockstate-left")
    filled(root.resolve("store"))
    val local = new LocalFolder(StoreFolder.passing(root.resolve("store")))
    Using.resource(new Applier) { applier =>
      val databases = new NewDatabase(local, SharedMemory(native, new HeapMemory(1L << 20)), applier)
      var isEnding = true
      val left = new LeftDatabase(
        local,
        folder =>
          if (isEnding) throw new Unavailable("This JVM is ending", "Wait.", file = None) else databases.reopen(folder)
      )
      intercept[Unavailable](left.take())
      isEnding = false
      val found = left.take()
      assert(found.map(_.head.version).contains(3L))
      found.foreach(_.release())
    }
    local.close()
    Trees.delete(root)
  }
}

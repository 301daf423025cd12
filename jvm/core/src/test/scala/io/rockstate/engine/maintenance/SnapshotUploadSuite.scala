package io.rockstate.engine.maintenance

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.{LoadedUnderTest, StoredSnapshot}
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFiles
import io.rockstate.folders.{StoreFolder, Trees}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.testkit.{Calls, ClosesHandles, FailBefore, FaultyFiles, MemoryFiles, RecordingFiles}
import io.rockstate.testkit.RemoteOperation._
import io.rockstate.versions.StateVersion

/** Snapshots of a database without an engine around it. */
class SnapshotUploadSuite extends AnyFunSuite with ClosesHandles {
  private final class Store(val files: RemoteFiles) {
    private val root = Files.createTempDirectory("rockstate-upload")
    private val local = new LocalFolder(StoreFolder.passing(root.resolve("store")))
    private val uploads = new SnapshotUpload(files, local, EngineSettings(fetchThreads = 1))
    val loaded = new LoadedUnderTest

    def upload(): UploadedSnapshot = uploads.upload(loaded.db)
    def checkpoints: Int = Trees.children(local.path).count(_.getFileName.toString.startsWith("checkpoint"))
    def tablesKept: Int = Trees.children(local.path.resolve("tables")).size

    def close(): Unit = {
      loaded.close()
      Trees.delete(root)
    }
  }

  private def withStore(files: RemoteFiles)(body: Store => Unit): Unit = {
    val store = new Store(files)
    try body(store)
    finally store.close()
  }

  private def manifest(files: RemoteFiles, version: Long): SnapshotManifest =
    SnapshotManifest.read(files, s"$version.snapshot")

  test("table files come first, the manifest last, and what was stored is what the database goes back to") {
    val memory = new MemoryFiles
    val files = new RecordingFiles(memory)
    withStore(files) { store =>
      store.loaded.advance("a", "1")
      val uploaded = store.upload()
      assert(
        files.take().map(_.takeWhile(_ != '(').trim) ==
          Vector("create sst/#1.sst", "publish sst/#1.sst", "create 1.snapshot", "publish 1.snapshot")
      )
      val tables = manifest(memory, 1).tableFiles
      assert(tables.map(_.remoteName) == memory.names.filter(_.startsWith("sst/")))
      assert(manifest(memory, 1).inlineFiles.map(_.name.takeWhile(_ != '-')).sorted == Vector("CURRENT", "MANIFEST"))
      assert(store.loaded.db.lastSnapshot == StoredSnapshot.of(manifest(memory, 1)))
      assert(uploaded.version == StateVersion(1) && uploaded.uploadedFiles == 2)
      assert(uploaded.uploadedBytes == memory.names.map(memory.bytes(_).length).sum)
      assert(store.checkpoints == 0 && store.tablesKept == 1)
    }
  }

  test("table files that the last snapshot stored are not stored again, unless clean-up took them away") {
    val memory = new MemoryFiles
    withStore(memory) { store =>
      // RocksDB writes a table anew when nobody may ask for what was before it any more.
      val before = store.loaded.db.view()
      store.loaded.advance("a", "1")
      store.upload()
      store.loaded.advance("b", "2")
      assert(store.upload().uploadedFiles == 2)
      val (first, second) = (manifest(memory, 1).tableFiles, manifest(memory, 2).tableFiles)
      assert(second.size == 2 && first.forall(second.contains))
      memory.delete(first.head.remoteName)
      store.loaded.advance("c", "3")
      assert(store.upload().uploadedFiles == 3)
      val third = manifest(memory, 3).tableFiles
      assert(third.size == 3 && third.forall(table => memory.bytes(table.remoteName).length == table.length))
      assert(third.map(_.localName) == third.map(_.localName).sorted)
      before.close()
    }
  }

  test("what an upload has stored that fails is not stored again by the next one, unless it is gone") {
    for (isGone <- Seq(false, true)) {
      val memory = new MemoryFiles
      val recorded =
        new RecordingFiles(new FaultyFiles(memory, FailBefore(Calls.of(Publish).named("*.snapshot").nth(1))))
      withStore(recorded) { store =>
        store.loaded.advance("a", "1")
        assertThrows[Unavailable](store.upload())
        val left = memory.names.filter(_.startsWith("sst/"))
        if (isGone) left.foreach(memory.delete)
        recorded.take()
        assert(store.upload().uploadedFiles == 2, "it is the first that a snapshot names")
        assert(recorded.take().count(_.startsWith("create sst/")) == (if (isGone) 1 else 0))
        assert(isGone || manifest(memory, 1).tableFiles.map(_.remoteName) == left)
        store.loaded.advance("b", "2")
        store.upload()
        assert(manifest(memory, 2).tableFiles.forall(table => memory.names.contains(table.remoteName)))
      }
    }
  }

  test("an upload that fails on the way leaves no manifest, and the database as it was; the next one does it") {
    Seq(Calls.of(Create).nth(1), Calls.of(Publish).nth(1), Calls.of(Create).nth(2), Calls.of(Publish).nth(2)).foreach {
      calls =>
        val memory = new MemoryFiles
        withStore(new FaultyFiles(memory, FailBefore(calls))) { store =>
          store.loaded.advance("a", "1")
          assertThrows[Unavailable](store.upload())
          assert(!memory.names.exists(_.endsWith(".snapshot")), calls)
          assert(store.loaded.db.lastSnapshot.version == 0 && store.checkpoints == 0, calls)
          assert(store.upload().version == StateVersion(1))
        }
    }
  }

  test("a database that is broken is not stored") {
    val memory = new MemoryFiles
    withStore(memory) { store =>
      store.loaded.break()
      assertThrows[Unavailable](store.upload())
      assert(memory.names.isEmpty && store.checkpoints == 0)
    }
  }
}

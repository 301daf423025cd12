package io.rockstate.engine.loaded

import java.nio.file.{Files, Path}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.CorruptFile
import io.rockstate.folders.Trees
import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}
import io.rockstate.versions.{ColumnFamily, RowLayout}

class LocalNotesSuite extends AnyFunSuite {
  private val tables = Vector(TableFile("sst/11111111-1111-1111-1111-111111111111.sst", "000008.sst", 100, 7))
  private val deltas = Vector(ReplayedDelta(4, DeltaSize(10, 1)), ReplayedDelta(5, DeltaSize(20, 2)))

  test("a database without notes goes back to no snapshot") {
    withFolder { folder =>
      val replay = LocalNotes.read(folder, 2)
      assert(replay.snapshot == StoredSnapshot.none && replay.deltas.map(_.version) == Vector(1, 2))
    }
  }

  test("the newest snapshot and the deltas since are as they were noted") {
    withFolder { folder =>
      LocalNotes.writeSnapshot(folder, manifest(2))
      LocalNotes.writeSnapshot(folder, manifest(3))
      LocalNotes.writeReplay(folder, ReplayedDeltas(StoredSnapshot(3, "id", tables), deltas))
      assert(LocalNotes.read(folder, 5) == ReplayedDeltas(StoredSnapshot(3, "id", tables), deltas))
      Files.delete(folder.resolve("replayed"))
      val forgotten = LocalNotes.read(folder, 5)
      assert(forgotten.snapshot == StoredSnapshot(3, "id", tables) && forgotten.deltas.map(_.version) == Vector(4, 5))
      assert(forgotten.size.bytes > (1L << 60), "so that a snapshot is due")
    }
  }

  test("notes of deltas that end before or after the version it holds are not believed") {
    withFolder { folder =>
      for (version <- Seq(4, 6)) {
        LocalNotes.writeSnapshot(folder, manifest(3))
        LocalNotes.writeReplay(folder, ReplayedDeltas(StoredSnapshot(3, "id", tables), deltas))
        assert(LocalNotes.read(folder, version.toLong).size.bytes > (1L << 60))
      }
    }
  }

  test("the last of notes: nothing to replay") {
    withFolder { folder =>
      LocalNotes.writeSnapshot(folder, manifest(3))
      LocalNotes.writeReplay(folder, ReplayedDeltas(StoredSnapshot(3, "id", tables), Vector.empty))
      assert(LocalNotes.read(folder, 3) == ReplayedDeltas(StoredSnapshot(3, "id", tables), Vector.empty))
    }
  }

  test("a damaged note is an error that names it") {
    withFolder { folder =>
      LocalNotes.writeSnapshot(folder, manifest(3))
      Files.write(folder.resolve("3.snapshot"), Array.fill(100)(1.toByte))
      assert(intercept[CorruptFile](LocalNotes.read(folder, 5)).getMessage.contains("3.snapshot"))
    }
  }

  private def manifest(version: Long) =
    SnapshotManifest(version, "id", 0, ColumnFamily.initial, Vector.empty, tables, RowLayout.Plain)

  private def withFolder(test: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("rockstate-notes")
    try test(folder)
    finally Trees.delete(folder)
  }
}

package io.rockstate.engine.recovery

import java.nio.file.{Files, Path}

import io.rockstate.db.LocalDb
import io.rockstate.engine.loaded.{Applier, LoadedDb, LocalNotes, ReplayedDeltas}
import io.rockstate.engine.memory.SharedMemory
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.errors.OnFailure
import io.rockstate.versions.CommittedVersion

/** Opens databases in folders of their own, which go with them. If anything fails on the way, nothing of it stays. */
private[engine] final class NewDatabase(local: LocalFolder, memory: SharedMemory, applier: Applier) {

  /** A database without rows, to go on from with the version after `version`; the caller lets it go. */
  def emptyAt(version: Long): LoadedDb =
    open(LocalDb.open(_, memory.native))(_ => CommittedVersion.emptyAt(version))

  /** @param openIn    opens the database in this folder, which is new
    * @param versionOf says which version it holds
    */
  def open(openIn: Path => LocalDb)(versionOf: LocalDb => CommittedVersion): LoadedDb =
    openAt(local.newDatabase(), openIn)(versionOf(_) -> ReplayedDeltas.none)

  /** Opens a database that an earlier engine left. */
  def reopen(folder: Path)(holds: LocalDb => (CommittedVersion, ReplayedDeltas)): LoadedDb = {
    local.opening(folder)
    openAt(folder, LocalDb.open(_, memory.native, LocalFolder.onDisk(folder)(LocalNotes.rows(folder))))(holds)
  }

  /** Opens the table files of `loaded` once more, as suits its size by now. None if it goes on meanwhile.
    *
    * From then on both give their new table files the same names. What is known of storage is therefore that from before: of a snapshot that is
    * stored meanwhile the new one would take the other's table files for its own.
    */
  def openedAnew(loaded: LoadedDb): Option[LoadedDb] = {
    val head = loaded.head
    val replay = loaded.toReplay.before(head.version + 1)
    val snapshot = LocalFolder.onDisk(loaded.folder)(LocalNotes.snapshot(loaded.folder))
    def linked(folder: Path) = {
      Files.delete(folder) // RocksDB wants to make it
      loaded.checkpoint(folder)
      snapshot.foreach(LocalNotes.writeSnapshot(folder, _))
      LocalDb.open(folder, memory.native, head.rows)
    }
    val anew = openAt(local.newDatabase(), linked)(db =>
      (NewDatabase.versionIn(db).getOrElse(CommittedVersion.emptyAt(0)), replay)
    )
    val isSame = anew.head == head
    if (!isSame) anew.release()
    Option.when(isSame)(anew)
  }

  private def openAt(folder: Path, openIn: Path => LocalDb)(
      holds: LocalDb => (CommittedVersion, ReplayedDeltas)
  ): LoadedDb =
    OnFailure(local.closed(folder)) {
      val db = openIn(folder)
      OnFailure(db.close()) {
        val (version, replayed) = holds(db)
        new LoadedDb(db, version, memory.heap, applier, _ => local.closed(folder), replayed)
      }
    }
}

private[recovery] object NewDatabase {

  /** The version that the database says it holds; none if it was left before it held one. */
  def versionIn(db: LocalDb): Option[CommittedVersion] =
    Option(db.get(CommittedVersion.RecordKey)).map(CommittedVersion.fromBytes)
}

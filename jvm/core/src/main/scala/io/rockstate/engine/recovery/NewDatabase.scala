package io.rockstate.engine.recovery

import java.nio.file.Path

import io.rockstate.db.LocalDb
import io.rockstate.engine.loaded.{Applier, LoadedDb}
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
  def open(openIn: Path => LocalDb)(versionOf: LocalDb => CommittedVersion): LoadedDb = {
    val folder = local.newDatabase()
    OnFailure(LocalFolder.deleteTree(folder)) {
      val db = openIn(folder)
      OnFailure(db.close()) {
        new LoadedDb(db, versionOf(db), memory.heap, applier, _ => LocalFolder.deleteTree(folder))
      }
    }
  }
}

package io.rockstate.engine.recovery

import java.io.{IOException, UncheckedIOException}
import java.nio.file.Path

import org.slf4j.LoggerFactory

import io.rockstate.db.LocalDb
import io.rockstate.engine.loaded.{LoadedDb, LocalNotes, ReplayedDeltas}
import io.rockstate.engine.storage.LocalFolder
import io.rockstate.errors.{CorruptFile, OnFailure, StateStoreException, Unavailable}
import io.rockstate.folders.FailedMark
import io.rockstate.versions.CommittedVersion

/** The database that the store's last engine on this machine left in its folder. Which version it holds, it says itself; whether that one is of
  * the history in storage, the caller finds out.
  *
  * @param reopen opens the database in a folder, of which the function says what it holds
  */
private[engine] final class LeftDatabase(
    local: LocalFolder,
    reopen: Path => (LocalDb => (CommittedVersion, ReplayedDeltas)) => LoadedDb
) {
  private val log = LoggerFactory.getLogger(getClass)
  private var untried = local.left

  /** The newest that is sound, for the caller to let go; none to whoever comes second. The others are deleted. The end of the JVM
    * leaves them for another one.
    */
  def take(): Option[LoadedDb] = synchronized {
    LocalFolder.onDisk(local.path)(local.distrustTables())
    val folders = untried
    untried = Vector.empty
    val found = OnFailure { untried = folders }(folders.iterator.flatMap(opened).nextOption())
    discard(folders.filterNot(folder => found.exists(_.folder == folder)))
    found
  }

  /** Deletes what was found as soon as nobody uses it. */
  def forget(): Unit = synchronized {
    untried = Vector.empty
    discard(local.left)
  }

  /** One that cannot be deleted is in nobody's way. */
  private def discard(folders: Seq[Path]): Unit = folders.foreach { folder =>
    try local.discard(folder)
    catch { case e @ (_: IOException | _: UncheckedIOException) => log.warn(s"Could not delete $folder", e) }
  }

  /** Has what was found tried once more: something else than the database has failed. */
  def putBack(found: LoadedDb): Unit = synchronized {
    untried = Vector(found.folder).filterNot(folder => FailedMark.isSet(folder) || local.isOpen(folder))
  }

  private def opened(folder: Path): Option[LoadedDb] = {
    local.keepFound(folder)
    try {
      if (FailedMark.isSet(folder))
        throw new CorruptFile("RocksDB failed on it before", "Nothing needs to be done.", folder.toString)
      Some(withRoom(reopen(folder)(held(folder, _))))
    } catch {
      case e: Unavailable if e.file.isEmpty || Thread.currentThread.isInterrupted => throw e // it is not the disk
      case e: StateStoreException =>
        log.info(s"The local database of an earlier run is not used: ${e.getMessage}")
        None
    }
  }

  /** On a full disk what other stores have left gives way, and it is tried once more. */
  private def withRoom[T](body: => T): T =
    try body
    catch {
      case e: Unavailable if LocalDb.lacksRoom(e) =>
        local.makeRoom()
        body
    }

  private def held(folder: Path, db: LocalDb): (CommittedVersion, ReplayedDeltas) = {
    val version = NewDatabase.versionIn(db).filter(_ => db.get(CommittedVersion.UnfinishedKey) == null).getOrElse {
      throw new CorruptFile("It was left before it held a version", "Nothing needs to be done.", folder.toString)
    }
    (version, LocalFolder.onDisk(folder)(LocalNotes.read(folder, version.version)))
  }
}

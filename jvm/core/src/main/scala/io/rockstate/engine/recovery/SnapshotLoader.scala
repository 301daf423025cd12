package io.rockstate.engine.recovery

import java.nio.file.{Files, Path}

import org.slf4j.LoggerFactory

import io.rockstate.db.LocalDb
import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.LoadedDb
import io.rockstate.engine.memory.SharedMemory
import io.rockstate.engine.storage.{LocalFolder, TableFiles}
import io.rockstate.errors.{CorruptFile, NotFound, OnFailure, StateStoreException, Unavailable}
import io.rockstate.files.{FileNames, Parallel, RemoteFiles}
import io.rockstate.format.snapshot.{SnapshotManifest, TableFile}
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Opens a snapshot from storage as a local database. Table files that are on local disk already are not fetched again. */
private[engine] final class SnapshotLoader(
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings,
    memory: SharedMemory,
    databases: NewDatabase
) {
  private val log = LoggerFactory.getLogger(getClass)
  private val tableFiles = new TableFiles(files, local)
  private val layouts = new LayoutCheck(files, settings.rowLayout)

  /** Fails with `SnapshotUnusable` if this snapshot is damaged, incomplete or not to be read; another may not be. */
  def load(version: StateVersion, work: RecoveryFigures): LoadedDb =
    try loadSound(version, work)
    catch { case e: StateStoreException if isOfItsFiles(e) => throw new SnapshotUnusable(e) }

  private def isOfItsFiles(problem: StateStoreException): Boolean = problem match {
    case _: CorruptFile | _: NotFound => true
    case e: Unavailable => local.isOfStorage(e)
    case _ => false
  }

  private def loadSound(version: StateVersion, work: RecoveryFigures): LoadedDb = {
    val name = FileNames.snapshot(version)
    val manifest = SnapshotManifest.read(files, name)
    layouts.require(manifest.rowLayout, name, version.version)
    // Before they are in use, when none can be deleted.
    LocalFolder.onDisk(local.path)(local.distrustTables())
    local.usingTables(manifest.tableFiles.map(_.remoteName)) {
      LocalFolder.onDisk(local.path)(fetched(version, name, manifest, work))
    }
  }

  private def fetched(
      version: StateVersion,
      name: String,
      manifest: SnapshotManifest,
      work: RecoveryFigures
  ): LoadedDb = {
    local.retainTables(manifest.tableFiles.map(_.remoteName))
    val (fetched, reused) = manifest.tableFiles
      .zip(Parallel.map(settings.fetchThreads, manifest.tableFiles)(tableFiles.fetch))
      .partitionMap { case (table, isFetched) => Either.cond(!isFetched, table, table) }
    noteFetched(fetched, work)
    work.snapshotVersion = version.version
    try {
      val loaded = open(name, manifest)
      work.tableFilesReused += reused.size
      loaded
    } catch {
      case e: StateStoreException if reused.nonEmpty && isOfItsTables(e) =>
        log.warn(s"Table files that were here are fetched once more: ${e.getMessage}")
        Parallel.map(settings.fetchThreads, reused)(tableFiles.fetchAnew): Unit
        noteFetched(reused, work)
        open(name, manifest)
    }
  }

  private def noteFetched(tables: Vector[TableFile], work: RecoveryFigures): Unit = {
    work.tableFilesFetched += tables.size
    work.bytesRead += tables.map(_.length).sum
  }

  /** Whether RocksDB could not read what it was given. Files that were here before may have gone bad since. */
  private def isOfItsTables(problem: StateStoreException): Boolean = problem match {
    case _: CorruptFile => true
    case e: Unavailable => LocalDb.cannotRead(e)
    case _ => false
  }

  private def open(name: String, manifest: SnapshotManifest): LoadedDb = {
    val loaded = databases.open { folder =>
      manifest.tableFiles.foreach(tableFiles.link(_, folder))
      LocalFolder.onDisk(folder)(
        manifest.inlineFiles.foreach(file => Files.write(folder.resolve(file.name), file.bytes))
      )
      openDatabase(name, folder, manifest.rows)
    }(recordOf(name, manifest, _))
    OnFailure(loaded.release())(loaded.noteSnapshot(manifest))
    loaded
  }

  /** What is fetched came as it was written: if RocksDB cannot read that, the snapshot is of no use. A full disk says nothing of it. */
  private def openDatabase(name: String, folder: Path, rows: Long): LocalDb =
    try LocalDb.open(folder, memory.native, rows)
    catch { case e: CorruptFile => throw unusable(name, s"The snapshot is of no use: ${e.problem}", e) }

  private def recordOf(name: String, manifest: SnapshotManifest, db: LocalDb): CommittedVersion = {
    val record = NewDatabase.versionIn(db)
    record.filter(r => r.version == manifest.version && r.commitId == manifest.commitId).getOrElse {
      throw unusable(
        name,
        s"Its database holds version ${record.fold("none")(_.version.toString)}, its manifest says ${manifest.version}"
      )
    }
  }

  private def unusable(name: String, problem: String, cause: Throwable = null): CorruptFile = new CorruptFile(
    problem,
    "An earlier snapshot is used if there is one; restore the file from a backup to have this one back.",
    s"${files.location}/$name",
    cause = cause
  )
}

/** A snapshot that recovery has to do without. */
private[engine] final class SnapshotUnusable(val problem: StateStoreException) extends RuntimeException(problem)

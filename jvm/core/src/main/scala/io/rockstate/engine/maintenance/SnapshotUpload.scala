package io.rockstate.engine.maintenance

import java.nio.file.{Files, Path}

import scala.util.Using

import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.{LoadedDb, StoredSnapshot}
import io.rockstate.engine.storage.{LocalFolder, TableFiles}
import io.rockstate.files.{FileNames, Parallel, RemoteFiles}
import io.rockstate.format.snapshot.{InlineFile, SnapshotManifest, TableFile}
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Takes a snapshot of a loaded database and stores it: new table files first, the manifest last. Transactions go on meanwhile. */
private[engine] final class SnapshotUpload(
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings
) {
  private val tableFiles = new TableFiles(files, local)

  def upload(loaded: LoadedDb): UploadedSnapshot = {
    val checkpoint = local.newCheckpoint()
    try LocalFolder.onDisk(checkpoint)(store(loaded, checkpoint, loaded.checkpoint(checkpoint)))
    finally LocalFolder.deleteTree(checkpoint)
  }

  private def store(loaded: LoadedDb, checkpoint: Path, version: CommittedVersion): UploadedSnapshot = {
    val (tables, others) = LocalFolder.children(checkpoint).partition(_.getFileName.toString.endsWith(".sst"))
    val reusable = inStorage(loaded.lastSnapshot.tables)
    val (known, fresh) = tables.partition(table => reusable.contains(table.getFileName.toString))
    val uploaded = Parallel.map(settings.fetchThreads, fresh)(tableFiles.upload)
    val all = (known.map(table => reusable(table.getFileName.toString)) ++ uploaded).sortBy(_.localName)
    val manifest = SnapshotManifest(
      version.version,
      version.commitId,
      version.contentDigest,
      version.columnFamilies,
      others.filter(isInline).map(file => InlineFile(file.getFileName.toString, Files.readAllBytes(file))),
      all,
      settings.rowLayout
    ).encode
    val target = settings.naming.nameOf(version)
    Using.resource(files.create(FileNames.snapshot(target))) { output =>
      output.write(manifest)
      output.publish()
    }
    loaded.noteSnapshot(StoredSnapshot(version.version, all.toVector))
    local.retainTables(all.map(_.remoteName))
    UploadedSnapshot(target, uploaded.map(_.length).sum + manifest.length, uploaded.size + 1)
  }

  /** Files that the last snapshot put into storage and no clean-up has taken away since, by their local names. */
  private def inStorage(tables: Vector[TableFile]): Map[String, TableFile] =
    if (tables.isEmpty) Map.empty
    else {
      val there = files.list(FileNames.TableFolder).map(file => FileNames.inTableFolder(file.name) -> file.length).toSet
      tables
        .filter(table => there.contains(table.remoteName -> table.length))
        .map(table => table.localName -> table)
        .toMap
    }

  /** RocksDB opens a database from these two and its table files. */
  private def isInline(file: Path): Boolean = {
    val name = file.getFileName.toString
    name == "CURRENT" || name.startsWith("MANIFEST-")
  }
}

/** @param uploadedBytes of the table files that were not in storage before, and of the manifest
  * @param uploadedFiles those and the manifest
  */
private[engine] final case class UploadedSnapshot(version: StateVersion, uploadedBytes: Long, uploadedFiles: Int)

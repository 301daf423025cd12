package io.rockstate.engine.maintenance

import java.nio.file.{Files, Path}

import scala.annotation.tailrec
import scala.util.Using

import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.LoadedDb
import io.rockstate.engine.storage.{LocalFolder, TableFiles}
import io.rockstate.files.{FileNames, Parallel, RemoteFiles}
import io.rockstate.folders.Trees
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
    finally Trees.delete(checkpoint)
  }

  private def store(loaded: LoadedDb, checkpoint: Path, version: CommittedVersion): UploadedSnapshot = {
    val (tables, others) = Trees.children(checkpoint).partition(_.getFileName.toString.endsWith(".sst"))
    val before = loaded.lastSnapshot.tables
    val all = stored(loaded, tables, before.map(table => table.localName -> table).toMap).sortBy(_.localName)
    val uploaded = all.filterNot(before.contains)
    val manifest = SnapshotManifest(
      version.version,
      version.commitId,
      version.contentDigest,
      version.columnFamilies,
      others.filter(isInline).map(file => InlineFile(file.getFileName.toString, Files.readAllBytes(file))),
      all,
      settings.rowLayout
    )
    val bytes = manifest.encode
    val target = settings.naming.nameOf(version)
    Using.resource(files.create(FileNames.snapshot(target))) { output =>
      output.write(bytes)
      output.publish()
    }
    loaded.noteSnapshot(manifest)
    local.retainTables(all.map(_.remoteName))
    UploadedSnapshot(target, uploaded.map(_.length).sum + bytes.length, uploaded.size + 1)
  }

  /** The table files as they are in storage, where those that are not known, or gone, are uploaded. It is listed after the uploads, which may
    * take long: meanwhile another executor's clean-up may take what the last snapshot stored.
    *
    * @param known what was in storage, by local names
    */
  @tailrec
  private def stored(loaded: LoadedDb, tables: Vector[Path], known: Map[String, TableFile]): Vector[TableFile] = {
    val (old, fresh) = tables.partition(table => known.contains(table.getFileName.toString))
    val uploaded = Parallel.map(settings.fetchThreads, fresh)(tableFiles.upload(_)(loaded.verify))
    val reused = old.map(table => known(table.getFileName.toString))
    val there = if (reused.isEmpty) Vector.empty else inStorage(reused)
    if (there.size == reused.size) reused ++ uploaded
    else stored(loaded, tables, (there ++ uploaded).map(table => table.localName -> table).toMap)
  }

  private def inStorage(tables: Vector[TableFile]): Vector[TableFile] = {
    val there = files.list(FileNames.TableFolder).map(file => FileNames.inTableFolder(file.name) -> file.length).toSet
    tables.filter(table => there.contains(table.remoteName -> table.length))
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

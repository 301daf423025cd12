package io.rockstate.engine.maintenance

import java.nio.file.{Files, Path}

import scala.annotation.tailrec
import scala.util.Using

import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.loaded.{LoadedDb, StoredSnapshot}
import io.rockstate.engine.storage.{LocalFolder, TableFiles}
import io.rockstate.errors.{CorruptFile, NotFound, Unavailable}
import io.rockstate.files.{FileNames, Parallel, RemoteFiles}
import io.rockstate.folders.Trees
import io.rockstate.format.snapshot.{InlineFile, SnapshotManifest, TableFile}
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Takes a snapshot of a loaded database and stores it: new table files first, the manifest last. Transactions go on meanwhile. For one thread at a
  * time.
  */
private[engine] final class SnapshotUpload(
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings
) {
  private val tableFiles = new TableFiles(files, local)
  private var begun: Option[BegunUpload] = None

  def upload(loaded: LoadedDb): UploadedSnapshot = {
    val checkpoint = local.newCheckpoint()
    try {
      val uploaded = LocalFolder.onDisk(checkpoint)(store(loaded, checkpoint, loaded.checkpoint(checkpoint)))
      begun = None
      uploaded
    } finally Trees.delete(checkpoint)
  }

  private def store(loaded: LoadedDb, checkpoint: Path, version: CommittedVersion): UploadedSnapshot = {
    val (tables, others) = Trees.children(checkpoint).partition(_.getFileName.toString.endsWith(".sst"))
    val inline = others.filter(isInline).map(file => InlineFile(file.getFileName.toString, Files.readAllBytes(file)))
    val last = loaded.lastSnapshot
    val (manifest, bytes) = published(loaded, version, inline, tables, last)
    val uploaded = manifest.tableFiles.filterNot(last.tables.contains)
    loaded.noteSnapshot(manifest)
    local.retainTables(manifest.tableFiles.map(_.remoteName))
    UploadedSnapshot(settings.naming.nameOf(version), uploaded.map(_.length).sum + bytes, uploaded.size + 1)
  }

  /** The manifest as it is in storage, and its size there. Table files that `last` stored are in it, if that snapshot outlives its publication: who cleans up
    * deletes a snapshot, then looks for new ones, and deletes table files last. If it did not, its table files may be about to go, and the
    * manifest is replaced by one of others.
    */
  private def published(
      loaded: LoadedDb,
      version: CommittedVersion,
      inline: Vector[InlineFile],
      tables: Vector[Path],
      last: StoredSnapshot
  ): (SnapshotManifest, Int) = {
    val begun = begunFor(loaded)
    def publish(known: Vector[TableFile]): (SnapshotManifest, Int) = {
      val all = stored(
        table => begun.note(tableFiles.upload(table)(loaded.verify)),
        tables,
        known.map(table => table.localName -> table).toMap
      )
      val manifest = SnapshotManifest(
        version.version,
        version.commitId,
        version.contentDigest,
        version.columnFamilies,
        inline,
        all.sortBy(_.localName),
        settings.rowLayout
      )
      val bytes = manifest.encode
      Using.resource(files.create(nameOf(version.version, version.commitId))) { output =>
        output.write(bytes)
        output.publish()
      }
      (manifest, bytes.length)
    }
    val first = publish(last.tables ++ begun.tables)
    val (reused, uploaded) = first._1.tableFiles.partition(last.tables.contains)
    if (reused.isEmpty || isThere(last)) first else publish(uploaded)
  }

  private def begunFor(loaded: LoadedDb): BegunUpload = {
    val found = begun.filter(_.folder == loaded.folder).getOrElse(new BegunUpload(loaded.folder))
    begun = Some(found)
    found
  }

  /** Whether it is in storage as it was: with checkpoint format 1 another attempt's may be there instead. */
  private def isThere(snapshot: StoredSnapshot): Boolean =
    try StoredSnapshot.of(SnapshotManifest.read(files, nameOf(snapshot.version, snapshot.commitId))) == snapshot
    catch { case _: NotFound | _: CorruptFile | _: Unavailable => false }

  private def nameOf(version: Long, commitId: String): String =
    FileNames.snapshot(settings.naming.nameOf(version, commitId))

  /** The table files as they are in storage, where those that are not known, or gone, are uploaded. It is listed after the uploads, which may
    * take long: meanwhile another executor's clean-up may take what the last snapshot stored.
    *
    * @param known what was in storage, by local names
    */
  @tailrec
  private def stored(
      upload: Path => TableFile,
      tables: Vector[Path],
      known: Map[String, TableFile]
  ): Vector[TableFile] = {
    val (old, fresh) =
      tables.partition(table => known.get(table.getFileName.toString).exists(_.length == Files.size(table)))
    val uploaded = Parallel.map(settings.fetchThreads, fresh)(upload)
    val reused = old.map(table => known(table.getFileName.toString))
    val there = if (reused.isEmpty) Vector.empty else inStorage(reused)
    if (there.size == reused.size) reused ++ uploaded
    else stored(upload, tables, (there ++ uploaded).map(table => table.localName -> table).toMap)
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

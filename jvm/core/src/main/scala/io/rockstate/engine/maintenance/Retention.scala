package io.rockstate.engine.maintenance

import org.slf4j.LoggerFactory

import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.storage.{DeltaHistory, StoreListing}
import io.rockstate.errors.StateStoreException
import io.rockstate.files.{DeltaName, FileNames, RemoteFiles, SnapshotName, StoreFile}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.history.RetentionPlan
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Deletes what no promised version needs any more. If any listing or manifest cannot be read, nothing is deleted. */
private[engine] final class Retention(files: RemoteFiles, settings: EngineSettings) {
  private val histories = new DeltaHistory(files)
  private val log = LoggerFactory.getLogger(getClass)
  private var cleanedAt = 0L

  /** @param newest the newest version of the store
    * @return how many files were deleted
    */
  def cleanUp(newest: Long): Int =
    if (newest - cleanedAt < settings.minVersionsToDelete || newest <= settings.minVersionsToRetain) 0
    else {
      val listing = new StoreListing(files)
      val deletions = RetentionPlan.deletions(
        listing.storeFiles,
        newest,
        settings.minVersionsToRetain,
        settings.minVersionsToDelete,
        settings.maxVersionsToDelete
      )(leadsOn(listing))
      val versions = deletions.map(_.version.version).distinct.size
      val deleted =
        if (deletions.isEmpty) 0
        else delete(deletions, snapshotsAmong(listing.storeFiles.diff(deletions)), nowAtMost(listing.newestMillis))
      if (versions < settings.maxVersionsToDelete || settings.maxVersionsToDelete < 0) cleanedAt = newest
      deleted
    }

  /** A table file goes once no manifest that stays names it: at once if one that goes did, after a time of grace if none ever did, for
    * another executor may be uploading it. If a manifest cannot be read, all of them stay.
    */
  private def delete(deletions: Vector[StoreFile], kept: Vector[SnapshotName], nowMillis: Long): Int = {
    val tables = files.list(FileNames.TableFolder)
    val old = RetentionPlan.oldTableFiles(tables, nowMillis, Retention.GraceMillis)
    val released = tablesOf(snapshotsAmong(deletions))
    files.deleteAll(deletions.map(_.name))
    deletions.size + released.fold(0)(named => deleteUnneeded(named ++ old, kept)) + deleteLeftovers(nowMillis)
  }

  /** Tables last: if what comes before fails, each manifest that stays has its own. Which ones stay is looked up when those that go are gone:
    * whoever stores one after this look finds out (SnapshotUpload).
    *
    * @param kept those that the first look found and that stay: a listing may lack files that are there
    */
  private def deleteUnneeded(tables: Set[String], kept: Vector[SnapshotName]): Int =
    if (tables.isEmpty) 0
    else {
      val needed = tablesOf((kept ++ snapshotsAmong(new StoreListing(files).storeFiles)).distinct)
      val unneeded = needed.fold(Vector.empty[String])(tables.diff(_).toVector)
      files.deleteAll(unneeded)
      unneeded.size
    }

  private def snapshotsAmong(names: Vector[StoreFile]): Vector[SnapshotName] =
    names.collect { case snapshot: SnapshotName => snapshot }

  /** The table files that these name; None if one cannot be read. */
  private def tablesOf(snapshots: Vector[SnapshotName]): Option[Set[String]] =
    try Some(snapshots.flatMap(manifest(_).tableFiles.map(_.remoteName)).toSet)
    catch {
      case e: StateStoreException =>
        log.warn("Table files are not cleaned up: a snapshot's manifest cannot be read. {}", e.getMessage)
        None
    }

  private def deleteLeftovers(nowMillis: Long): Int = {
    val abandoned = files.leftovers().filter(nowMillis - _.modifiedMillis > Retention.GraceMillis)
    abandoned.foreach(files.deleteLeftover)
    abandoned.size
  }

  /** This machine's clock may be ahead of storage's, by days: then it is when the store's newest file was written there. A clean-up comes after a
    * commit, so that this is not long ago.
    */
  private def nowAtMost(newestMillis: Long): Long = math.min(System.currentTimeMillis(), newestMillis)

  private def leadsOn(listing: StoreListing)(snapshot: StateVersion): Boolean = {
    val next = listing.storeFiles.collect { case DeltaName(delta) if delta.version == snapshot.version + 1 => delta }
    try {
      val held = manifest(SnapshotName(snapshot))
      val base =
        CommittedVersion(held.version, held.commitId, held.contentDigest, held.columnFamilies, lineage = Vector.empty)
      next.nonEmpty && next.forall(histories.follows(base, _))
    } catch {
      case e: StateStoreException =>
        log.warn(
          "What a snapshot stands in for is kept: it cannot be told to which history it belongs. {}",
          e.getMessage
        )
        false
    }
  }

  private def manifest(snapshot: SnapshotName): SnapshotManifest = SnapshotManifest.read(files, snapshot.name)
}

private object Retention {

  /** No upload of a snapshot takes this long, nor does any other file. */
  val GraceMillis: Long = 24L * 60 * 60 * 1000
}

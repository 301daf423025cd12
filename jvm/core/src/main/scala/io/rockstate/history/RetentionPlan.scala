package io.rockstate.history

import io.rockstate.files.{DeltaName, FileNames, RemoteFile, SnapshotName, StoreFile}
import io.rockstate.versions.StateVersion

/** Which files of a store are not needed any more. Pure: a folder's listing in, the decision out.
  *
  * The promise: each version from `newest - minVersionsToRetain` on that was loadable stays so, and if it would also have been with
  * any one snapshot damaged, it stays so too. (Spark's HDFS-backed store keeps those versions too, its RocksDB store one fewer.)
  *
  * Therefore everything is kept from the second newest '''anchor''' on. An anchor is a snapshot at or below the oldest promised version
  * whose name agrees with every listed delta of its version: whatever history leads past it, leads through it. Where attempts have no
  * names of their own, one may have replaced the delta that the snapshot was made from: there the files themselves must agree. They also
  * tell where other attempts are listed beside it, as of queries that run each batch twice: one below the promised versions is an anchor
  * if all deltas of the next version go on from it. Of the versions before, all deltas and snapshots go, oldest first.
  */
object RetentionPlan {

  /** The deltas and snapshots to delete, oldest version first.
    *
    * @param newest              the store's newest version; newer files are none of this plan's business
    * @param minVersionsToDelete fewer stale versions than this are left for another time
    * @param maxVersionsToDelete of so many versions at most; negative is no limit
    * @param leadsOn             whether the deltas after a snapshot, one at least, go on from what it holds
    */
  def deletions(
      files: Seq[StoreFile],
      newest: Long,
      minVersionsToRetain: Int,
      minVersionsToDelete: Long,
      maxVersionsToDelete: Int
  )(leadsOn: StateVersion => Boolean): Vector[StoreFile] = {
    val stale =
      spareAnchor(files, newest - minVersionsToRetain, leadsOn).fold(Map.empty[Long, Vector[StoreFile]]) { anchor =>
        files.toVector.filter(_.version.version < anchor).groupBy(_.version.version)
      }
    val limit = if (maxVersionsToDelete < 0) Int.MaxValue else maxVersionsToDelete
    if (stale.size < minVersionsToDelete) Vector.empty
    else stale.toVector.sortBy(_._1).take(limit).flatMap { case (_, ofVersion) => ofVersion.sortBy(_.name) }
  }

  /** The table files, by their names in the store's folder, that are too old to belong to a snapshot that someone is uploading.
    *
    * @param tableFiles  the listing of `FileNames.TableFolder`
    * @param graceMillis longer than any upload takes
    */
  def oldTableFiles(tableFiles: Seq[RemoteFile], nowMillis: Long, graceMillis: Long): Vector[String] =
    tableFiles.toVector
      .filter(file => nowMillis - file.modifiedMillis > graceMillis)
      .map(file => FileNames.inTableFolder(file.name))
      .filter(FileNames.isTableFileName)

  private def spareAnchor(
      files: Seq[StoreFile],
      oldestPromised: Long,
      leadsOn: StateVersion => Boolean
  ): Option[Long] = {
    val deltaIds = files
      .collect { case DeltaName(version) => version }
      .groupMap(_.version)(_.checkpointId)
      .withDefaultValue(Seq.empty)
    def isAnchor(snapshot: StateVersion) =
      if (deltaIds(snapshot.version).forall(_ == snapshot.checkpointId))
        snapshot.checkpointId.isDefined || leadsOn(snapshot)
      else snapshot.version < oldestPromised && leadsOn(snapshot)
    val snapshots = files.collect { case SnapshotName(version) if version.version <= oldestPromised => version }
    snapshots.sortBy(-_.version).iterator.filter(isAnchor).map(_.version).distinct.drop(1).nextOption()
  }
}

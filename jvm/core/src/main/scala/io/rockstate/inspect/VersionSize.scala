package io.rockstate.inspect

import io.rockstate.files.{DeltaName, SnapshotName, StoreFile}
import io.rockstate.versions.StateVersion

/** What it takes to load a version of a store.
  *
  * @param bytes of all files that are read for it
  * @param rows  over all column families, if the files tell
  */
final case class VersionSize(bytes: Long, rows: Option[Long]) {
  def +(other: VersionSize): VersionSize =
    VersionSize(bytes + other.bytes, rows.flatMap(mine => other.rows.map(mine + _)))
}

/** Which files a version is loaded from, as far as names tell: of several attempts at an earlier version the largest counts.
  *
  * @param snapshot the newest one that can be begun with
  * @param bytes    of this file and the deltas after it, without the files that the snapshot names
  */
final case class FilesByName(snapshot: Option[StateVersion], bytes: Long)

object FilesByName {

  /** @param files a store's folder, with lengths */
  def of(files: Seq[(StoreFile, Long)], target: StateVersion): FilesByName = {
    val upTo = files.filter { case (file, _) =>
      file.version == target || file.version.version < target.version
    }
    val snapshot = upTo.collect { case (SnapshotName(name), bytes) => name -> bytes }.maxByOption(_._1.version)
    val first = snapshot.fold(0L)(_._1.version)
    val deltas = upTo.collect { case (DeltaName(name), bytes) if name.version > first => name.version -> bytes }
    FilesByName(snapshot.map(_._1), snapshot.fold(0L)(_._2) + deltas.groupMapReduce(_._1)(_._2)(_ max _).values.sum)
  }
}

package io.rockstate.reference

import java.io.IOException

import scala.annotation.tailrec

import io.rockstate.reference.StateFiles.{DeltaFile, SnapshotFile}

/** Which versions follow from which, and what they hold. Storage is asked each time: nothing is remembered. */
class History(files: StateFiles) {

  /** What a version holds: its snapshot, or else its delta on top of what its base holds. */
  def load(version: Version): Contents =
    if (version.number == 0) Contents.empty
    else if (files.exists(version, SnapshotFile)) files.snapshot(version)
    else applied(files.delta(version))(load)

  /** The same from the snapshot that is named. */
  def replay(snapshot: Version, end: Version): Contents =
    if (end == snapshot) files.snapshot(snapshot)
    else if (end.number <= snapshot.number) throw new IOException(s"$end does not follow from $snapshot")
    else applied(files.delta(end))(replay(snapshot, _))

  /** The deltas from version `first` to `last`, oldest first. */
  def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
    if (last.number < first) Nil
    else {
      val delta = files.delta(last)
      deltas(first, delta.base) :+ (last -> delta)
    }

  /** The version at or before `number` that `version` can be loaded from without what came before, if there is one. */
  @tailrec final def start(version: Version, number: Long): Option[Version] =
    if (version.number <= number && isStart(version)) Some(version)
    else if (!files.exists(version, DeltaFile)) None
    else start(files.delta(version).base, number)

  protected def applied(delta: Delta)(load: Version => Contents): Contents =
    (if (delta.startsEmpty) Contents.empty else load(delta.base)).after(delta.changes)

  private def isStart(version: Version): Boolean =
    version.number == 0 || files.exists(version, SnapshotFile) ||
      (files.exists(version, DeltaFile) && files.delta(version).startsEmpty)
}

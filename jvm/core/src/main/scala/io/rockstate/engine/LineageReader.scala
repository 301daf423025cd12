package io.rockstate.engine

import scala.annotation.tailrec
import scala.util.{Failure, Success, Try, Using}

import io.rockstate.errors.CorruptFile
import io.rockstate.files.{DeltaName, FileNames, RemoteFiles}
import io.rockstate.format.DeltaReader
import io.rockstate.history.{LineageEntry, StateVersion}

/** Reads from the deltas' headers which attempt of each earlier version a version was built on (checkpoint format 2). */
private[engine] final class LineageReader(files: RemoteFiles) {

  /** From the oldest version that the deltas in storage still tell of up to `target`; nothing if that one has no checkpoint id. A damaged
    * delta ends it like one that is gone: what comes after may be all that is needed.
    */
  def read(target: StateVersion, listing: StoreListing): KnownLineage =
    target.checkpointId.fold(KnownLineage(Vector.empty, None))(id =>
      extended(Vector(LineageEntry(target.version, id)), listing)
    )

  @tailrec
  private def extended(known: Vector[LineageEntry], listing: StoreListing): KnownLineage =
    Try(before(known.head, listing)) match {
      case Success(earlier) if earlier.isEmpty => KnownLineage(known, None)
      case Success(earlier) => extended(earlier ++ known, listing)
      case Failure(damage: CorruptFile) => KnownLineage(known, Some(damage))
      case Failure(other) => throw other
    }

  /** What the delta of `entry` says about the versions before it; nothing if that delta is gone or is the first. */
  private def before(entry: LineageEntry, listing: StoreListing): Vector[LineageEntry] = {
    val version = StateVersion(entry.version, Some(entry.commitId))
    if (!listing.storeFiles.contains(DeltaName(version))) Vector.empty
    else {
      val name = FileNames.delta(version)
      Using.resource(new DeltaReader(name, files.open(name)))(_.header.lineage)
    }
  }
}

/** @param damage what kept it from going back further */
private[engine] final case class KnownLineage(entries: Vector[LineageEntry], damage: Option[CorruptFile])

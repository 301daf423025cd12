package io.rockstate.history

import scala.annotation.tailrec
import scala.util.{Failure, Success, Try}

import io.rockstate.errors.{CorruptFile, NotFound, StateStoreException, Unavailable}
import io.rockstate.files.{DeltaName, RemoteFiles, StoreFile}
import io.rockstate.format.delta.DeltaReader
import io.rockstate.versions.{LineageEntry, StateVersion}

/** Reads from the deltas' headers which attempt of each earlier version a version was built on (checkpoint format 2). */
private[rockstate] final class LineageReader(files: RemoteFiles) {

  /** From the oldest version that the deltas in storage still tell of up to `target`; nothing if that one has no checkpoint id. A delta
    * that is damaged or not to be read ends it like one that is gone: what comes after may be all that is needed.
    */
  def read(target: StateVersion, listed: Seq[StoreFile]): KnownLineage =
    target.checkpointId.fold(KnownLineage(Vector.empty, None))(id =>
      extended(List(Vector(LineageEntry(target.version, id))), listed.toSet)
    )

  /** @param known pieces without gaps between them, the oldest first */
  @tailrec
  private def extended(known: List[Vector[LineageEntry]], listed: Set[StoreFile]): KnownLineage = {
    def upToHere(problem: Option[StateStoreException]) = KnownLineage(known.flatten.toVector, problem)
    Try(before(known.head.head, listed)) match {
      case Success(earlier) if earlier.nonEmpty => extended(earlier :: known, listed)
      case Success(_) => upToHere(None)
      case Failure(damage: CorruptFile) => upToHere(Some(damage))
      case Failure(failure: Unavailable) => upToHere(Some(failure))
      // Another executor has cleaned it up since the listing.
      case Failure(_: NotFound) => upToHere(None)
      case Failure(other) => throw other
    }
  }

  /** What the delta of `entry` says about the versions before it; nothing if that delta is gone or is the first. */
  private def before(entry: LineageEntry, listed: Set[StoreFile]): Vector[LineageEntry] = {
    val version = StateVersion(entry.version, Some(entry.commitId))
    if (listed(DeltaName(version))) DeltaReader.headerOf(version, files).lineage else Vector.empty
  }
}

/** @param problem what kept it from going back further */
private[rockstate] final case class KnownLineage(entries: Vector[LineageEntry], problem: Option[StateStoreException])

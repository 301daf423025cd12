package io.rockstate.inspect

import io.rockstate.files.FileNames
import io.rockstate.versions.{ColumnFamily, StateVersion, VersionRange}

/** Which versions sound files lead to. Pure: what the files say in, the decision out.
  *
  * @param damagedDeltas with the commit id, where the header still tells it
  */
private[inspect] final class Chain(
    snapshots: Vector[SnapshotFacts],
    deltas: Vector[DeltaFacts],
    damagedDeltas: Map[StateVersion, Option[String]],
    modifiedMillis: String => Long
) {
  import Chain._

  private val deltasOf = deltas.groupBy(_.version).withDefaultValue(Vector.empty)
  private val versions = (snapshots.map(_.version) ++ deltas.map(_.version)).distinct.sorted

  private val commits: Map[Long, Vector[Commit]] = versions.foldLeft(Map.empty[Long, Vector[Commit]]) {
    (known, version) =>
      val before = known.getOrElse(version - 1, Vector.empty)
      val fromDeltas = deltasOf(version).flatMap(delta => replayed(delta, before))
      val fromSnapshots = snapshots.filter(_.version == version).map(s => Commit(s, s.families, isLoadable = fits(s)))
      known.updated(version, fromDeltas ++ fromSnapshots)
  }

  /** By the names of their files, oldest first. */
  val loadable: Vector[StateVersion] = versions.flatMap(commits(_).filter(_.isLoadable).map(_.facts.name)).distinct

  val ranges: Vector[VersionRange] = VersionRange.gather(loadable.map(_.version))

  def newest(logged: Option[LoggedCommit]): Option[VersionReport] = ranges.lastOption.map { range =>
    val commit = commits(range.last).filter(_.isLoadable).maxBy { commit =>
      (logged.exists(_.isNamed(commit.facts.name)), lastWritten(commit.facts))
    }
    VersionReport(range.last, commit.facts.name.checkpointId, commit.families)
  }

  /** What is missing above the oldest loadable version. What is below is left over from a clean-up, and below a version that was made
    * from nothing nothing need have been: a partition that a query had, had not, and has again.
    */
  def gaps: Vector[FileProblem] = missing ++ withoutBase

  private def missing: Vector[FileProblem] = ranges.zip(ranges.drop(1)).flatMap { case (before, after) =>
    val gap = if (isFromNothing(after.first)) Vector.empty else (before.last + 1 until after.first).toVector
    gap.filterNot(damagedDeltas.keySet.map(_.version)).filterNot(versions.contains).map { version =>
      FileProblem(
        FileNames.delta(nameOfMissing(version)),
        Some(version),
        "It is not there, and its version cannot be loaded",
        "Restore the file from a backup, if that version is still wanted."
      )
    }
  }

  /** Whether all that leads to a version is a snapshot without a delta, and no lineage of later deltas goes back beyond it. */
  private def isFromNothing(version: Long): Boolean =
    !(deltas.map(_.version) ++ damagedDeltas.keys.map(_.version)).contains(version) &&
      !deltas.exists(delta => delta.version > version && delta.header.lineage.exists(_.version < version))

  /** By its id, if a delta that goes on from it tells that. */
  private def nameOfMissing(version: Long): StateVersion = {
    val next = deltasOf(version + 1).find(_.name.checkpointId.isDefined)
    StateVersion(version, next.map(_.header.baseCommitId))
  }

  private def withoutBase: Vector[FileProblem] = {
    val oldest = ranges.headOption.map(_.first)
    deltas
      .filter(delta => oldest.forall(_ < delta.version) && !commits(delta.version).exists(leadsTo(delta, _)))
      .map { delta =>
        val problem =
          if (basesOf(delta).isEmpty)
            s"It goes on from commit ${delta.header.baseCommitId} of version ${delta.version - 1}, which cannot be loaded"
          else s"It counts rows of other column families than version ${delta.version - 1} has"
        FileProblem(
          FileNames.delta(delta.name),
          Some(delta.version),
          problem,
          "Restore that version's delta from a backup, or restart the query from a batch whose version is loadable."
        )
      }
  }

  /** The families of what it goes on from. */
  private def basesOf(delta: DeltaFacts): Vector[Vector[ColumnFamily]] =
    basesOf(delta, commits.getOrElse(delta.version - 1, Vector.empty))

  private def basesOf(delta: DeltaFacts, before: Vector[Commit]): Vector[Vector[ColumnFamily]] =
    if (delta.isFirst) Vector(ColumnFamily.initial)
    else before.filter(base => delta.goesOnFrom(base.facts)).map(_.families)

  private def leadsTo(delta: DeltaFacts, commit: Commit): Boolean =
    commit.facts.commitId == delta.commitId || commit.facts.contentDigest == delta.contentDigest

  private def replayed(delta: DeltaFacts, before: Vector[Commit]): Option[Commit] =
    basesOf(delta, before)
      .find(delta.footer.fits)
      .map(families => Commit(delta, delta.footer.columnFamilies(families), isLoadable = true))

  /** Where names do not tell attempts apart, the delta is the version: a snapshot of another attempt can only be gone on from. */
  private def fits(snapshot: SnapshotFacts): Boolean = {
    def ofSameName = deltasOf(snapshot.version).filter(_.name == snapshot.name)
    snapshot.name.checkpointId.isDefined ||
    (damagedDeltas.get(snapshot.name).forall(_.contains(snapshot.commitId)) &&
      ofSameName.forall(snapshot.isOf))
  }

  private def lastWritten(facts: FileFacts): Long =
    math.max(modifiedMillis(FileNames.delta(facts.name)), modifiedMillis(FileNames.snapshot(facts.name)))
}

private object Chain {

  /** A commit that can be gone on from, and as what it is named perhaps be loaded. */
  final case class Commit(facts: FileFacts, families: Vector[ColumnFamily], isLoadable: Boolean)
}

package io.rockstate.history

import io.rockstate.errors.{Misuse, NotFound}
import io.rockstate.files.{DeltaName, FileNames, SnapshotName, StoreFile}
import io.rockstate.versions.{Lineage, LineageEntry, StateVersion, VersionRange}

/** Which files make a version of a store. Pure: a folder's listing in, the decision out. */
object RecoveryPlan {

  /** One way to a version: a snapshot, or the empty store, and then the deltas in this order. */
  final case class Candidate(snapshot: Option[StateVersion], deltas: Vector[StateVersion])

  /** Every way to `target` for which all files are listed, the newest snapshot first and the empty store last; at least one, or the
    * error that names the file in the way.
    *
    * @param lineage read only if `target` has a checkpoint id: the commits that lead to it and end with it, oldest first and without
    *                gaps. The further back it goes, the more candidates there are. A commit made before checkpoint ids were switched on
    *                is found under its plain name, and with it, by their names alone, the versions before it.
    */
  def candidates(
      target: StateVersion,
      files: Seq[StoreFile],
      lineage: Vector[LineageEntry]
  ): Either[NotFound, Vector[Candidate]] =
    if (target.version == 0) Right(Vector(Candidate(None, Vector.empty)))
    else {
      val path = History.of(target, files.toSet, lineage)
      val deltas = path.replayable
      val bases = path.snapshots.filter(_.version >= target.version - deltas.size)
      // Those after a snapshot are the last ones, as a part of the same memory: there may be thousands of both.
      val fromSnapshots =
        bases.reverse.map(base => Candidate(Some(base), deltas.takeRight((target.version - base.version).toInt)))
      val fromEmpty = Option.when(deltas.size == target.version)(Candidate(None, deltas))
      val found = fromSnapshots ++ fromEmpty
      if (found.isEmpty) Left(missing(target, path, files)) else Right(found)
    }

  /** The deltas that lead to `target` without a gap, oldest first, as far back as they are listed; none if its own is not.
    *
    * @param lineage as for `candidates`
    */
  def deltas(target: StateVersion, files: Seq[StoreFile], lineage: Vector[LineageEntry]): Vector[StateVersion] =
    History.of(target, files.toSet, lineage).replayable

  /** The versions that can be loaded, as far as names tell: where several attempts at a version are listed, some may not lead on. */
  def loadable(files: Seq[StoreFile]): Vector[VersionRange] = {
    val snapshots = files.collect { case SnapshotName(version) => version.version }.toSet
    val deltas = files.collect { case DeltaName(version) => version.version }.toSet
    val versions = (snapshots ++ deltas).toVector.sorted.foldLeft(Vector.empty[Long]) { (loadable, version) =>
      val follows = deltas(version) && loadable.lastOption.getOrElse(0L) == version - 1
      if (snapshots(version) || follows) loadable :+ version else loadable
    }
    VersionRange.gather(versions)
  }

  /** The commits that lead to a version, oldest first, each under the names that its files have; and the files of that history. */
  private final case class History(names: Vector[Names], files: Set[StoreFile]) {

    /** The snapshots that are there, the oldest first. */
    def snapshots: Vector[StateVersion] = names.map(_.snapshot).filter(name => files(SnapshotName(name)))

    /** The deltas that are there without a gap, up to the target. */
    def replayable: Vector[StateVersion] =
      names.reverseIterator.map(_.delta).takeWhile(name => files(DeltaName(name))).toVector.reverse
  }

  /** What a commit's files are named by. Of a delta from before checkpoint ids were switched on there may be a snapshot from after that. */
  private final case class Names(delta: StateVersion, snapshot: StateVersion)

  private object History {
    def of(target: StateVersion, files: Set[StoreFile], lineage: Vector[LineageEntry]): History =
      target.checkpointId match {
        case None => History(plainNames(target.version, files), files.filter(_.version.checkpointId.isEmpty))
        case Some(id) =>
          if (!lineage.lastOption.contains(LineageEntry(target.version, id)) || !Lineage.isConsecutive(lineage))
            throw new Misuse(
              s"The lineage of version $target is ${lineage.map(e => s"${e.version}_${e.commitId}").mkString(", ")}",
              "Give the commits that lead to the version, oldest first, without gaps, and the version itself last.",
              Some(target.version)
            )
          val named = lineage.map(entry => namesOf(entry, files))
          val first = named.head
          val earlier =
            if (first.delta.checkpointId.isEmpty) plainNames(first.delta.version, files).init else Vector.empty
          val names = earlier ++ named
          val own = names.flatMap(each => Seq(each.delta, each.snapshot)).toSet
          History(names, files.filter(file => own(file.version)))
      }

    // From the version before the oldest listed one: there the way down ends, and what is missing is named.
    private def plainNames(last: Long, files: Set[StoreFile]): Vector[Names] = {
      val listed = files.iterator.map(_.version).filter(_.checkpointId.isEmpty).map(_.version).minOption
      val oldest = listed.fold(last)(first => math.min(math.max(first - 1, 1), last))
      (oldest to last).map(version => Names(StateVersion(version), StateVersion(version))).toVector
    }

    private def namesOf(entry: LineageEntry, files: Set[StoreFile]): Names = {
      val withId = StateVersion(entry.version, Some(entry.commitId))
      val plain = StateVersion(entry.version)
      val (hasDelta, hasSnapshot) = (files(DeltaName(withId)), files(SnapshotName(withId)))
      val isPlain = files(DeltaName(plain)) || (!hasSnapshot && files(SnapshotName(plain)))
      if (hasDelta || !isPlain) Names(withId, withId)
      else Names(plain, if (hasSnapshot) withId else plain)
    }
  }

  /** The loadable versions in words, for errors. */
  def loadableText(files: Seq[StoreFile]): String = {
    val ranges = loadable(files)
    if (ranges.isEmpty) "No version of it is loadable"
    else s"Loadable, by the names of its files, are ${ranges.mkString(", ")}"
  }

  private def missing(target: StateVersion, path: History, files: Seq[StoreFile]): NotFound = {
    val deltas = path.replayable
    val Names(gap, base) = path.names(math.max(path.names.size - deltas.size - 1, 0))
    // Without a gap the deltas go back as far as is known, and only the snapshot they start from can be missing.
    val file = if (deltas.headOption.contains(gap)) FileNames.snapshot(base) else FileNames.delta(gap)
    // What is gone may be what told of the way to the versions before it.
    val others = if (target.checkpointId.isEmpty) path.files.toSeq else files.filter(_.version.version < target.version)
    new NotFound(
      s"Version $target cannot be loaded: $file is not there, and no snapshot from version ${gap.version} to " +
        s"${target.version} stands in for it. ${loadableText(others)}",
      "Restore the file from a backup or from an older version that the storage keeps of it, or restart the query after a batch " +
        "whose version is loadable in every partition; version n + 1 is the state after batch n.",
      file,
      Some(target.version)
    )
  }
}

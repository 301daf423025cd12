package io.rockstate.inspect

import io.rockstate.errors.{Conflict, CorruptFile, NotFound, StateStoreException}
import io.rockstate.files.{DeltaName, FileNames, RemoteFile, RemoteFiles, StoreFile}
import io.rockstate.history.{LineageReader, RecoveryPlan}
import io.rockstate.versions.StateVersion

/** The files that make one version of a store, told from outside: opens no database, changes nothing.
  *
  * @param isWhole whether every one of them is read to its end and must be sound; else names, headers and manifests tell
  */
final class VersionFiles(files: RemoteFiles, isWhole: Boolean) {
  private val read = new FileReader(files)

  /** A snapshot with its table files and the deltas after it, or all deltas: the way that recovery would take. `NotFound` or
    * `CorruptFile` if there is none.
    *
    * @return by their names in the store's folder
    */
  def of(commit: LoggedCommit): Vector[RemoteFile] = {
    val listing = files.list("").toVector
    val listed = listing.flatMap(file => FileNames.parse(file.name))
    val target = nameOf(commit, listed)
    val lineage = new LineageReader(files).read(target, listed)
    val candidates = RecoveryPlan
      .candidates(target, listed, lineage.entries)
      .fold(missing => throw lineage.problem.getOrElse(missing), identity)
    val sizes = (listing ++ files.list(FileNames.TableFolder).map(inTableFolder)).map(file => file.name -> file).toMap
    val problems = Vector.newBuilder[StateStoreException]
    val found = candidates.iterator.flatMap { candidate =>
      try Some(namesOf(candidate, target, listed).map(name => sizes.getOrElse(name, throw gone(name, target))))
      catch {
        case e @ (_: CorruptFile | _: NotFound | _: Conflict) =>
          problems += e.asInstanceOf[StateStoreException]
          None
      }
    }
    found.nextOption().getOrElse(throw problems.result().head)
  }

  /** Of several attempts the one that counts. */
  private def nameOf(commit: LoggedCommit, listed: Vector[StoreFile]): StateVersion = {
    val named = listed.map(_.version).filter(commit.isNamed)
    named.find(_.checkpointId.isDefined == commit.checkpointIds.nonEmpty).orElse(named.headOption).getOrElse {
      val ids = commit.checkpointIds.toVector.sorted.mkString(" or ")
      throw new NotFound(
        s"Version ${commit.version} cannot be loaded: no file of it is there" +
          (if (ids.isEmpty) "" else s" with checkpoint id $ids") + s". ${RecoveryPlan.loadableText(listed)}",
        "Give a batch whose version is loadable in every partition; version n + 1 is the state after batch n.",
        FileNames.delta(StateVersion(commit.version, commit.checkpointIds.headOption)),
        Some(commit.version)
      )
    }
  }

  private def namesOf(
      candidate: RecoveryPlan.Candidate,
      target: StateVersion,
      listed: Vector[StoreFile]
  ): Vector[String] = {
    val snapshot = candidate.snapshot.map(read.snapshot)
    val tables = snapshot.toVector.flatMap(_.manifest.tableFiles)
    if (!snapshot.forall(isOfThisHistory(_, candidate.deltas.headOption, listed))) throw otherHistory(target)
    if (isWhole) {
      tables.foreach(read.table)
      val chain = new Chain(snapshot.toVector, candidate.deltas.map(read.delta), Map.empty, _ => 0)
      if (!chain.loadable.contains(target)) throw otherHistory(target)
    }
    tables.map(_.remoteName) ++ candidate.snapshot.map(FileNames.snapshot) ++ candidate.deltas.map(FileNames.delta)
  }

  /** Where attempts have no names of their own, one may have replaced the delta that the snapshot was made from, and those after it.
    *
    * @param next the delta after it that is to be replayed
    */
  private def isOfThisHistory(
      snapshot: SnapshotFacts,
      next: Option[StateVersion],
      listed: Vector[StoreFile]
  ): Boolean = {
    val own = snapshot.name
    own.checkpointId.isDefined || (next match {
      case Some(delta) => read.header(delta).baseCommitId == snapshot.commitId || read.delta(delta).fits(snapshot)
      case None =>
        !listed.contains(DeltaName(own)) || read.commitIdOf(own).contains(snapshot.commitId) ||
        snapshot.isOf(read.delta(own))
    })
  }

  private def inTableFolder(table: RemoteFile): RemoteFile = table.copy(name = FileNames.inTableFolder(table.name))

  private def gone(name: String, target: StateVersion): NotFound = new NotFound(
    s"Version $target cannot be loaded: a file that it needs is not there",
    "Restore the file from a backup, or give a batch whose version is loadable.",
    s"${files.location}/$name",
    Some(target.version)
  )

  private def otherHistory(target: StateVersion): Conflict = new Conflict(
    s"Version $target cannot be loaded: two attempts of a version before it wrote different rows, and what is there goes on from the " +
      "one that is gone",
    "Give an earlier batch, or restore the other attempt's file.",
    Some(files.location),
    Some(target.version)
  )
}

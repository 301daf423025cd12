package io.rockstate.engine

import scala.util.control.NonFatal

import io.rockstate.db.LocalDb
import io.rockstate.errors.{NotFound, StateStoreException}
import io.rockstate.files.{DeltaName, FileNames, RemoteFiles}
import io.rockstate.history.{RecoveryPlan, StateVersion}
import io.rockstate.history.RecoveryPlan.Candidate

import org.slf4j.LoggerFactory

/** Brings a version from storage into a local database: a snapshot, then the deltas after it.
  *
  * A snapshot that is damaged, incomplete or of another history is skipped for the one before it. A delta is never skipped.
  */
private[engine] final class Recovery(
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings,
    memory: SharedMemory,
    applier: Applier
) {
  private val log = LoggerFactory.getLogger(getClass)
  private val snapshots = new SnapshotLoader(files, local, settings.fetchThreads, memory, applier)
  private val replay = new DeltaReplay(files, settings)
  private val lineages = new LineageReader(files)

  /** A database that holds `target`, for the caller to let go.
    *
    * @param from a database that may be on the way to `target`; it is brought forward if it is
    */
  def recover(target: StateVersion, from: Option[LoadedDb]): (LoadedDb, RecoveryMetrics) = {
    val work = new RecoveryFigures
    val loaded =
      if (target.version == 0) emptyAt(0)
      else {
        val listing = new StoreListing(files)
        val candidates = candidatesFor(target, listing)
        from.flatMap(forward(_, target, candidates, work)).getOrElse(firstSound(target, candidates, listing, work))
      }
    (loaded, work.result())
  }

  /** A database that holds `target`, made of that snapshot and no other, for the caller to let go. */
  def fromSnapshot(snapshot: StateVersion, target: StateVersion): (LoadedDb, RecoveryMetrics) = {
    val work = new RecoveryFigures
    val listing = new StoreListing(files)
    val candidate = candidatesFor(target, listing)
      .find(
        _.snapshot.exists(s => s.version == snapshot.version && snapshot.checkpointId.forall(s.checkpointId.contains))
      )
      .getOrElse(throw noSnapshot(snapshot, target))
    (attempt(target, candidate, listing, work).fold(problem => throw problem, loaded => loaded), work.result())
  }

  /** An empty database to go on from with the version after `version`, for the caller to let go. */
  def emptyAt(version: Long): LoadedDb = {
    val folder = local.newDatabase()
    new LoadedDb(
      LocalDb.open(folder, memory.native),
      CommittedVersion.emptyAt(version),
      memory.heap,
      applier,
      _ => LocalFolder.deleteTree(folder)
    )
  }

  private def candidatesFor(target: StateVersion, listing: StoreListing): Seq[Candidate] = {
    val lineage = lineages.read(target, listing)
    RecoveryPlan
      .candidates(target, listing.storeFiles, lineage.entries)
      .fold(missing => throw lineage.damage.getOrElse(listing.explain(missing)), candidates => candidates)
  }

  private def noSnapshot(snapshot: StateVersion, target: StateVersion): NotFound = new NotFound(
    s"Version ${target.version} cannot be made from the snapshot of version ${snapshot.version}: there is none that leads to it",
    "Start from a version whose snapshot is listed in the store's folder.",
    FileNames.snapshot(snapshot),
    Some(snapshot.version)
  )

  /** The longest of the candidates' chains of deltas goes back the furthest: `from` may stand somewhere on it. */
  private def forward(
      from: LoadedDb,
      target: StateVersion,
      candidates: Seq[Candidate],
      work: RecoveryFigures
  ): Option[LoadedDb] = {
    val head = from.head
    val missing = candidates.maxBy(_.deltas.size).deltas.dropWhile(_.version <= head.version)
    val isOnTheWay = missing.headOption.exists(_.version == head.version + 1) && replay.follows(head, missing.head)
    Option.when(isOnTheWay && head.version < target.version && from.retain()) {
      releasingOnFailure(from)(replay.apply(from, missing, work))
      from
    }
  }

  private def firstSound(
      target: StateVersion,
      candidates: Seq[Candidate],
      listing: StoreListing,
      work: RecoveryFigures
  ): LoadedDb = {
    val attempts = candidates.iterator.map(candidate => attempt(target, candidate, listing, work))
    var skipped = Vector.empty[StateStoreException]
    while (attempts.hasNext) attempts.next() match {
      case Right(loaded) => return loaded
      case Left(problem) =>
        skipped :+= problem
        work.snapshotsSkipped += 1
        log.warn("Skipping a snapshot, going back to the one before it: {}", problem.getMessage)
    }
    skipped.tail.foreach(skipped.head.addSuppressed(_))
    throw skipped.head
  }

  /** Left says what is wrong with the candidate's snapshot; anything wrong after it is thrown. */
  private def attempt(
      target: StateVersion,
      candidate: Candidate,
      listing: StoreListing,
      work: RecoveryFigures
  ): Either[StateStoreException, LoadedDb] =
    candidate.snapshot match {
      case None => Right(replayed(emptyAt(0), target, candidate, work))
      case Some(version) =>
        try {
          val loaded = snapshots.load(version, work)
          if (releasingOnFailure(loaded)(isOfThisHistory(loaded.head, version, candidate, listing))) {
            Right(replayed(loaded, target, candidate, work))
          } else {
            loaded.release()
            Left(replay.otherHistory(loaded.head, FileNames.snapshot(version)))
          }
        } catch { case e: SnapshotUnusable => Left(e.problem) }
    }

  /** Whether the deltas around the snapshot were written by the attempt that it holds. Attempts may replace each other's deltas, unless
    * they have names of their own.
    */
  private def isOfThisHistory(
      head: CommittedVersion,
      version: StateVersion,
      candidate: Candidate,
      listing: StoreListing
  ): Boolean =
    version.checkpointId.isDefined || (candidate.deltas.headOption match {
      case Some(next) => replay.follows(head, next)
      case None => !listing.storeFiles.contains(DeltaName(version)) || replay.made(head, version)
    })

  private def replayed(
      loaded: LoadedDb,
      target: StateVersion,
      candidate: Candidate,
      work: RecoveryFigures
  ): LoadedDb =
    releasingOnFailure(loaded) {
      replay.apply(loaded, candidate.deltas, work)
      if (!loaded.head.is(target)) throw otherAttempt(target, loaded.head)
      loaded
    }

  /** A file without an id may hold the attempt that is wanted, from before ids were switched on, or another one. */
  private def otherAttempt(target: StateVersion, found: CommittedVersion): NotFound = new NotFound(
    s"Version $target is not in storage: what is there under the plain name of version ${found.version} is the attempt ${found.commitId}",
    "Ask for one that was committed: the query's commit log names them.",
    FileNames.delta(target),
    Some(target.version)
  )

  private def releasingOnFailure[T](loaded: LoadedDb)(body: => T): T =
    try body
    catch {
      case NonFatal(e) =>
        loaded.release()
        throw e
    }
}

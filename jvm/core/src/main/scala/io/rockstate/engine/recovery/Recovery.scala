package io.rockstate.engine.recovery

import scala.annotation.tailrec
import scala.util.control.NonFatal

import org.slf4j.LoggerFactory

import io.rockstate.engine.api.{EngineSettings, RecoveryMetrics}
import io.rockstate.engine.loaded.{Applier, DeltaSize, LoadedDb}
import io.rockstate.engine.memory.SharedMemory
import io.rockstate.engine.storage.{DeltaHistory, LocalFolder, StoreListing}
import io.rockstate.errors.{Conflict, CorruptFile, NotFound, OnFailure, StateStoreException, Unavailable}
import io.rockstate.files.{DeltaName, FileNames, RemoteFiles}
import io.rockstate.folders.Trees
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.history.{LineageReader, RecoveryPlan}
import io.rockstate.history.RecoveryPlan.Candidate
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Brings a version from storage into a local database: a snapshot, then the deltas after it.
  *
  * A snapshot that is damaged, incomplete, not to be read or of another history is skipped for the one before it. A delta is never skipped.
  */
private[engine] final class Recovery(
    files: RemoteFiles,
    local: LocalFolder,
    settings: EngineSettings,
    memory: SharedMemory,
    applier: Applier
) {
  private val log = LoggerFactory.getLogger(getClass)
  private val databases = new NewDatabase(local, memory, applier)
  private val snapshots = new SnapshotLoader(files, local, settings, memory, databases)
  private val histories = new DeltaHistory(files)
  private val replay = new DeltaReplay(files, settings, memory.heap)
  private val lineages = new LineageReader(files)
  private val left = new LeftDatabase(local, databases.reopen)

  /** A database that holds `target`, for the caller to let go.
    *
    * @param from a database that may be on the way to `target`; it is brought forward if it is
    */
  def recover(target: StateVersion, from: Option[LoadedDb]): (LoadedDb, RecoveryMetrics) = {
    val work = new RecoveryFigures
    val loaded = if (target.version == 0) emptyAt(0) else continued(target, from, work)
    (loaded, work.result())
  }

  private def continued(target: StateVersion, from: Option[LoadedDb], work: RecoveryFigures): LoadedDb =
    local.makingRoom {
      val found = if (from.isEmpty) left.take() else None
      var isDone = false
      try {
        val loaded = found.filter(isProven(_, target)).filter(_.retain()).getOrElse {
          val listing = new StoreListing(files)
          val candidates = candidatesFor(target, listing)
          from
            .flatMap(forward(_, target, candidates, work)(histories.follows))
            .orElse(
              found
                .filter(isWorthIt(_, candidates, listing))
                .flatMap(forward(_, target, candidates, work)(histories.continues))
            )
            .getOrElse(firstSound(target, candidates, listing, work))
        }
        if (found.contains(loaded)) work.warmRestarts += 1
        isDone = true
        loaded
      } finally
        found.foreach { database =>
          database.release()
          if (!isDone) left.putBack(database)
        }
    }

  /** Lets go of what an earlier run left, if it is of no use: this one has gone on. */
  def forgetLeft(): Unit = left.forget()

  /** Whether what an earlier run left is this very version. A plain name may stand for another attempt by now. */
  private def isProven(found: LoadedDb, target: StateVersion): Boolean =
    found.head.is(target) && (target.checkpointId.isDefined || isUnder(found.head)(histories.isOf))

  /** Whether the deltas that it lacks are fetched sooner than the newest snapshot and the deltas since, with what is on the disk already. */
  private def isWorthIt(found: LoadedDb, candidates: Seq[Candidate], listing: StoreListing): Boolean =
    candidates.headOption.forall { newest =>
      val missing = candidates.maxBy(_.deltas.size).deltas.filter(_.version > found.head.version)
      val snapshotBytes = LocalFolder.onDisk(found.folder)(Trees.bytes(found.folder)) // it is about as large
      fetchCost(missing, listing) <= snapshotBytes + fetchCost(newest.deltas, listing)
    }

  private def fetchCost(deltas: Vector[StateVersion], listing: StoreListing): Long =
    deltas.map(delta => listing.bytesOf(FileNames.delta(delta)) + DeltaSize.RequestBytes).sum

  /** A database that holds `target`, made of that snapshot and no other, for the caller to let go. */
  def fromSnapshot(snapshot: StateVersion, target: StateVersion): (LoadedDb, RecoveryMetrics) = {
    val work = new RecoveryFigures
    val listing = new StoreListing(files)
    val candidate = candidatesFor(target, listing)
      .find(
        _.snapshot.exists(s => s.version == snapshot.version && snapshot.checkpointId.forall(s.checkpointId.contains))
      )
      .getOrElse(throw noSnapshot(snapshot, target))
    val loaded = local.makingRoom(attempt(target, candidate, listing, work).fold(problem => throw problem, identity))
    (loaded, work.result())
  }

  /** An empty database to go on from with the version after `version`, for the caller to let go. */
  def emptyAt(version: Long): LoadedDb = local.makingRoom(databases.emptyAt(version))

  /** The version that `loaded` holds, in a database that is opened as suits its size; the caller lets it go. None if that cannot be: `loaded` is
    * slower than it could be, and goes on.
    */
  def openedAnew(loaded: LoadedDb): Option[LoadedDb] =
    try {
      val anew = databases.openedAnew(loaded)
      loaded.mayBeOpenedAnew()
      anew
    } catch {
      case NonFatal(e) if !Thread.currentThread.isInterrupted =>
        log.warn(s"The database in ${loaded.folder} could not be opened anew, and stays as it is", e)
        None
      case e: Throwable =>
        loaded.mayBeOpenedAnew()
        throw e
    }

  /** Whether storage holds this very version under its plain name, or an attempt that wrote the same. */
  def isStored(version: CommittedVersion): Boolean = isUnder(version)(histories.made)

  private def isUnder(
      version: CommittedVersion
  )(isMadeBy: (CommittedVersion, StateVersion) => Boolean): Boolean = version.version == 0 || {
    val name = StateVersion(version.version)
    try isMadeBy(version, name)
    catch {
      case _: NotFound => isSnapshot(version, FileNames.snapshot(name))
      case _: CorruptFile => false
    }
  }

  /** A version made from nothing has no delta. */
  private def isSnapshot(version: CommittedVersion, file: String): Boolean =
    try SnapshotManifest.read(files, file).commitId == version.commitId
    catch { case _: NotFound | _: CorruptFile => false }

  private def candidatesFor(target: StateVersion, listing: StoreListing): Seq[Candidate] = {
    val lineage = lineages.read(target, listing.storeFiles)
    RecoveryPlan
      .candidates(target, listing.storeFiles, lineage.entries)
      .fold(missing => throw lineage.problem.getOrElse(listing.explain(missing)), candidates => candidates)
  }

  private def noSnapshot(snapshot: StateVersion, target: StateVersion): NotFound = new NotFound(
    s"Version ${target.version} cannot be made from the snapshot of version ${snapshot.version}: there is none that leads to it",
    "Start from a version whose snapshot is listed in the store's folder.",
    FileNames.snapshot(snapshot),
    Some(snapshot.version)
  )

  /** The longest of the candidates' chains of deltas goes back the furthest: `from` may stand somewhere on it. If a delta on the way is damaged,
    * a snapshot after it may do without.
    */
  @tailrec
  private def forward(
      from: LoadedDb,
      target: StateVersion,
      candidates: Seq[Candidate],
      work: RecoveryFigures
  )(isNext: (CommittedVersion, StateVersion) => Boolean): Option[LoadedDb] = {
    val head = from.head
    val missing = candidates.maxBy(_.deltas.size).deltas.dropWhile(_.version <= head.version)
    val isOnTheWay = missing.headOption.exists(_.version == head.version + 1) && !from.isBroken && from.retain()
    if (!isOnTheWay) None
    else if (broughtForward(from, head, missing, work)(isNext, isSpared(_, candidates.head))) Some(from)
    else {
      from.release()
      // Another recovery may have brought it part of the way meanwhile.
      if (from.head.version <= head.version) None else forward(from, target, candidates, work)(isNext)
    }
  }

  private def broughtForward(
      from: LoadedDb,
      head: CommittedVersion,
      deltas: Vector[StateVersion],
      work: RecoveryFigures
  )(
      isNext: (CommittedVersion, StateVersion) => Boolean,
      isSpared: StateStoreException => Boolean
  ): Boolean = OnFailure(from.release()) {
    try isNext(head, deltas.head) && replay.apply(from, head, deltas, work)
    catch {
      case e: StateStoreException if from.isBroken || isSpared(e) =>
        log.warn("A database cannot be brought forward and is loaded anew: {}", e.getMessage)
        false
    }
  }

  /** Whether a load from the newest snapshot may do without what failed. */
  private def isSpared(problem: StateStoreException, newest: Candidate): Boolean = problem match {
    case _: CorruptFile | _: NotFound | _: Conflict => true
    case e: Unavailable => local.isOfStorage(e) && !newest.deltas.map(FileNames.delta).exists(e.file.contains)
    case _ => false
  }

  private def firstSound(
      target: StateVersion,
      candidates: Seq[Candidate],
      listing: StoreListing,
      work: RecoveryFigures
  ): LoadedDb = {
    var skipped = Vector.empty[StateStoreException]
    def firstProblem = {
      skipped.tail.foreach(skipped.head.addSuppressed(_))
      skipped.head
    }
    val sound = candidates.iterator.map(attempt(target, _, listing, work)).flatMap {
      case Left(problem) =>
        skipped :+= problem
        // Storage that does not answer is not asked for one after the other: each may take a client's patience.
        if (skipped.count(_.isInstanceOf[Unavailable]) > 1) throw firstProblem
        work.snapshotsSkipped += 1
        log.warn("Skipping a snapshot, going back to the one before it: {}", problem.getMessage)
        None
      case Right(loaded) => Some(loaded)
    }
    sound.nextOption().getOrElse(throw firstProblem)
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
          if (OnFailure(loaded.release())(isOfThisHistory(loaded.head, version, candidate, listing))) {
            Right(replayed(loaded, target, candidate, work))
          } else {
            loaded.release()
            Left(histories.otherHistory(loaded.head, FileNames.snapshot(version)))
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
      case Some(next) => histories.follows(head, next)
      case None => !listing.storeFiles.contains(DeltaName(version)) || histories.made(head, version)
    })

  private def replayed(
      loaded: LoadedDb,
      target: StateVersion,
      candidate: Candidate,
      work: RecoveryFigures
  ): LoadedDb =
    OnFailure(loaded.release()) {
      replay.apply(loaded, loaded.head, candidate.deltas, work)
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
}

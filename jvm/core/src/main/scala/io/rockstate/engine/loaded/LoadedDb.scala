package io.rockstate.engine.loaded

import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.locks.ReentrantLock

import io.rockstate.db.{CacheReads, LocalDb, WriteBatches}
import io.rockstate.engine.cache.ReadCache
import io.rockstate.engine.layers.{ChangeLayer, LayerMerge}
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.errors.{OnFailure, Unavailable}
import io.rockstate.versions.CommittedVersion

/** One committed version of the store at hand, shared by the transactions that read from it: a local database that holds it or an earlier
  * version, and the changes between the two as layers, which are applied to the database in the background.
  *
  * Who uses it holds it (`retain`) and lets go (`release`); the last one to let go closes it and runs `onClose`.
  */
private[engine] final class LoadedDb(
    db: LocalDb,
    loaded: CommittedVersion,
    heap: HeapMemory,
    applier: Applier,
    onClose: LoadedDb => Unit
) {
  import LoadedDb._

  private var base = new SharedView(db.view())
  private val applying = new ReentrantLock(true)
  private val cache = new LeasedCache(heap, loaded)
  private var holders = 1
  private var headVersion = loaded
  private var applied = loaded
  private var layers = Vector.empty[LayerOf]
  private var replay = ReplayedDeltas(StoredSnapshot(0, Vector.empty), Vector.empty)
  private var isReplaying =
    false // a delta goes into the database in portions: nobody else may change it, or start from it
  @volatile private var failure: Option[Unavailable] = None
  @volatile private var isScanned = false

  heap.addStore()

  /** Whether the applier has this database on its list. */
  val isApplyWanted = new AtomicBoolean

  def folder: Path = db.folder

  /** The version it holds. */
  def head: CommittedVersion = synchronized(headVersion)

  /** Whether a change could not be applied: the database is of no use any more, only the views taken of it are. */
  def isBroken: Boolean = failure.isDefined

  def blockCacheReads: CacheReads = db.cacheReads

  /** What a recovery of the version it holds would start from and replay. */
  def toReplay: ReplayedDeltas = synchronized(replay)

  /** The newest snapshot in storage that this database is known to go back to. */
  def lastSnapshot: StoredSnapshot = toReplay.snapshot

  def noteSnapshot(stored: StoredSnapshot): Unit = synchronized {
    replay = ReplayedDeltas(stored, replay.deltas.filter(_.version > stored.version))
  }

  /** Runs `body` on the version it holds, if that is the one that is wanted, and keeps it there meanwhile. */
  def holding[T](isWanted: CommittedVersion => Boolean)(body: CommittedVersion => T): Option[T] = synchronized {
    Option.when(holders > 0 && isSteady && isWanted(headVersion))(body(headVersion))
  }

  /** The version it holds, unaffected by what comes after; the caller closes it. */
  def view(): View = synchronized(new View(base.retain(), layers.reverseIterator.map(_.changes).toArray))

  /** Takes note that rows are wanted in order: merging layers into every scan costs more than applying them once. */
  def noteScan(): Unit = if (!isScanned || synchronized(layers.nonEmpty)) {
    isScanned = true
    applier.start(this)
  }

  /** The cache of the version it holds, if no other transaction has it; the caller gives it back. */
  def leaseCache(): Option[ReadCache] = synchronized(cache.lease(headVersion))

  /** Takes the cache back.
    *
    * @param at the version whose rows it has
    */
  def returnCache(at: CommittedVersion): Unit = cache.giveBack(at)

  /** Takes the changes that lead from `from` to `next`; false, and nothing done, if it does not hold `from` (any more).
    *
    * @param size of the delta that holds these changes
    */
  def advance(from: CommittedVersion, next: CommittedVersion, size: DeltaSize, changes: ChangeLayer): Boolean = {
    val holdsBase = synchronized {
      val holdsBase = isSteady && (headVersion eq from)
      if (holdsBase) {
        layers :+= LayerOf(next, changes)
        heap.chargeLayers(changes.heapBytes)
        goOnTo(next, size)
      }
      holdsBase
    }
    if (holdsBase) {
      if (heap.layersAreFull) makeRoom()
      if (isWorthApplying) applier.start(this)
    }
    holdsBase
  }

  /** Has `write` put a delta that is not to become a layer into the database, and goes on to the version it returns. If that fails half-way,
    * the database is broken. None, and nothing done, if it does not hold `from` (any more).
    */
  def applyPortions(
      from: CommittedVersion
  )(write: WriteBatches => (CommittedVersion, DeltaSize)): Option[CommittedVersion] = alone {
    applyLayers()
    Option.when(claim(from)) {
      try
        breakingOnFailure {
          val batches = new WriteBatches(db.write)
          val (next, size) = write(batches)
          finish(batches, Vector.empty, next)
          synchronized(goOnTo(next, size))
          next
        }
      finally synchronized { isReplaying = false }
    }
  }

  /** Brings the database to the version that is held now. If it cannot, the whole of it is given up. */
  def applyLayers(): Unit = alone {
    val waiting = synchronized(layers)
    if (waiting.nonEmpty && !isBroken) breakingOnFailure {
      val batches = new WriteBatches(db.write)
      LayerMerge.addTo(batches, waiting.reverseIterator.map(_.changes).toArray)
      finish(batches, waiting, waiting.last.version)
    }
  }

  /** The same, unless somebody is at work on the database, which may take long: that one applies what is there first, and what comes meanwhile
    * can wait for the next commit or scan.
    */
  def applyLayersIfFree(): Unit = if (applying.tryLock())
    try applyLayers()
    finally applying.unlock()

  /** Leaves in `target` a copy of the database as it stands at the version that is held when this begins, or a later one, which is
    * returned.
    */
  def checkpoint(target: Path): CommittedVersion = alone {
    applyLayers()
    requireSound()
    db.checkpoint(target)
    synchronized(applied)
  }

  /** Throws what made it break, if anything did. */
  def requireSound(): Unit = failure.foreach { cause =>
    throw new Unavailable(
      s"The local database was given up because changes could not be applied to it: ${cause.problem}",
      s"Nothing is lost: the store is recovered from storage when it is next used. ${cause.remedy}",
      Some(folder.toString),
      cause = cause
    )
  }

  def retain(): Boolean = synchronized {
    val isOpen = holders > 0
    if (isOpen) holders += 1
    isOpen
  }

  def release(): Unit = {
    val isLast = synchronized {
      holders -= 1
      holders == 0
    }
    if (isLast) {
      base.release()
      cache.close()
      heap.releaseLayers(layers.map(_.changes.heapBytes).sum)
      heap.removeStore()
      db.close()
      onClose(this)
    }
  }

  private def isSteady: Boolean = !isReplaying && !isBroken

  private def goOnTo(next: CommittedVersion, size: DeltaSize): Unit = {
    headVersion = next
    replay = replay.copy(deltas = replay.deltas :+ ReplayedDelta(next.version, size))
  }

  private def claim(from: CommittedVersion): Boolean = synchronized {
    isReplaying = isSteady && layers.isEmpty && (headVersion eq from)
    isReplaying
  }

  /** Waits for the applier, if it is at work, before it lends a hand: that may be enough, and takes half the time. */
  private def makeRoom(): Unit = alone(if (heap.layersAreFull) applyLayers())

  /** Runs `body` while nobody else changes the database. */
  private def alone[T](body: => T): T = {
    applying.lock()
    try body
    finally applying.unlock()
  }

  private def isWorthApplying: Boolean = synchronized {
    isScanned || layers.sizeIs >= MostLayers || layers.iterator.map(_.changes.heapBytes).sum > heap.layerShare
  }

  /** What is half applied cannot be applied again: merges would count twice. */
  private def breakingOnFailure[T](body: => T): T = OnFailure(if (failure.isEmpty) failure = Some(unfinished())) {
    try body
    catch {
      case e: Unavailable =>
        failure = Some(e)
        throw e
    }
  }

  private def unfinished(): Unavailable = new Unavailable(
    "Applying a delta to the local database did not end",
    "The log of the task that did it says why.",
    Some(folder.toString)
  )

  /** Writes the version record with the last of the changes, so that both take effect in one step. New transactions need the layers that are
    * done no more; those that hold them keep them, and the database as it was below them.
    */
  private def finish(changes: WriteBatches, done: Vector[LayerOf], version: CommittedVersion): Unit = {
    changes.finish(CommittedVersion.RecordKey, version.toBytes)
    val above = new SharedView(db.view())
    val below = synchronized {
      val below = base
      base = above
      layers = layers.drop(done.size)
      applied = version
      below
    }
    heap.releaseLayers(done.map(_.changes.heapBytes).sum)
    below.release()
  }
}

private object LoadedDb {
  final case class LayerOf(version: CommittedVersion, changes: ChangeLayer)

  /** Each layer is one more place to look. */
  private val MostLayers = 16
}

package io.rockstate.engine

import java.nio.file.Path
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.locks.ReentrantLock

import io.rockstate.db.{CacheReads, LocalDb, WriteBatches}
import io.rockstate.errors.Unavailable
import io.rockstate.format.{DeltaFrame, TableFile}

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

  private val applying = new ReentrantLock(true)
  private val cache = new LeasedCache(heap, loaded)
  private var holders = 1
  private var headVersion = loaded
  private var applied = loaded
  private var base = new SharedView(db.view())
  private var layers = Vector.empty[LayerOf]
  private var snapshot = StoredSnapshot(0, Vector.empty)
  private var deltasSince = Vector.empty[(Long, Long)] // version and size of each delta since the snapshot
  @volatile private var failed = false
  @volatile private var isScanned = false

  heap.addStore()

  /** Whether the applier has this database on its list. */
  val isApplyWanted = new AtomicBoolean

  def folder: Path = db.folder

  /** The version it holds. */
  def head: CommittedVersion = synchronized(headVersion)

  /** Whether a change could not be applied: the database is of no use any more, only the views taken of it are. */
  def isBroken: Boolean = failed

  def blockCacheReads: CacheReads = db.cacheReads

  /** The newest snapshot in storage that this database is known to go back to. */
  def lastSnapshot: StoredSnapshot = synchronized(snapshot)

  /** Size of the deltas since `lastSnapshot`. */
  def bytesSinceSnapshot: Long = synchronized(deltasSince.map(_._2).sum)

  def noteSnapshot(stored: StoredSnapshot): Unit = synchronized {
    snapshot = stored
    deltasSince = deltasSince.filter(_._1 > stored.version)
  }

  /** Runs `body` on the version it holds, if that is the one that is wanted, and keeps it there meanwhile. */
  def holding[T](isWanted: CommittedVersion => Boolean)(body: CommittedVersion => T): Option[T] = synchronized {
    Option.when(holders > 0 && !failed && isWanted(headVersion))(body(headVersion))
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

  /** Takes the changes that lead from `base` to `next`; false, and nothing done, if it does not hold `base` (any more).
    *
    * @param bytes size of the delta that holds these changes
    */
  def advance(base: CommittedVersion, next: CommittedVersion, bytes: Long, changes: ChangeLayer): Boolean = {
    val holdsBase = synchronized {
      val holdsBase = !failed && (headVersion eq base)
      if (holdsBase) {
        layers :+= LayerOf(next, changes)
        heap.chargeLayers(changes.heapBytes)
        headVersion = next
        deltasSince :+= next.version -> bytes
      }
      holdsBase
    }
    if (holdsBase) {
      if (heap.layersAreFull) makeRoom()
      if (isWorthApplying) applier.start(this)
    }
    holdsBase
  }

  /** Applies a delta's frames as they are and goes on to `next`. For deltas that layers cannot hold, while nobody else advances. */
  def applyFrames(next: CommittedVersion, bytes: Long, frames: Vector[DeltaFrame]): Unit = whenApplied {
    val batches = new WriteBatches
    frames.foreach(frame => batches.add(frame.bytes, 0, frame.bytes.length, frame.recordCount))
    breakingOnFailure(write(batches, next))
    synchronized {
      headVersion = next
      deltasSince :+= next.version -> bytes
    }
    finish(Vector.empty, next)
  }

  /** Brings the database to the version that is held now. If it cannot, the whole of it is given up. */
  def applyLayers(): Unit = {
    applying.lock()
    try {
      val waiting = synchronized(layers)
      if (waiting.nonEmpty && !failed) {
        val batches = new WriteBatches
        LayerMerge.addTo(batches, waiting.reverseIterator.map(_.changes).toArray)
        breakingOnFailure(write(batches, waiting.last.version))
        finish(waiting, waiting.last.version)
      }
    } finally applying.unlock()
  }

  /** Leaves in `target` a copy of the database as it stands at the version that is held when this begins, or a later one, which is
    * returned.
    */
  def checkpoint(target: Path): CommittedVersion = whenApplied {
    db.checkpoint(target)
    synchronized(applied)
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

  /** Runs `body` on the database once it has all layers, and before it gets another. What is half applied is of no use to it. */
  private def whenApplied[T](body: => T): T = {
    applying.lock()
    try {
      applyLayers()
      if (failed) throw broken()
      body
    } finally applying.unlock()
  }

  /** Waits for the applier, if it is at work, before it lends a hand: that may be enough, and takes half the time. */
  private def makeRoom(): Unit = {
    applying.lock()
    try if (heap.layersAreFull) applyLayers()
    finally applying.unlock()
  }

  private def isWorthApplying: Boolean = synchronized {
    isScanned || layers.sizeIs >= MostLayers || layers.iterator.map(_.changes.heapBytes).sum > heap.layerShare
  }

  /** The version record is in the last batch, so that both take effect in one step. */
  private def write(changes: WriteBatches, next: CommittedVersion): Unit = {
    val batches = changes.result()
    val last = WriteBatches.withPut(batches.lastOption, CommittedVersion.RecordKey, next.toBytes)
    db.write((batches.dropRight(1) :+ last).iterator)
  }

  /** What is half applied cannot be applied again: merges would count twice. */
  private def breakingOnFailure(body: => Unit): Unit =
    try body
    catch {
      case e: Throwable =>
        failed = true
        throw e
    }

  private def broken(): Unavailable = new Unavailable(
    "The local database was given up because changes could not be applied to it",
    "Nothing is lost: the store is recovered from storage when it is next used; an earlier warning in the log says what failed.",
    Some(folder.toString)
  )

  /** New transactions need these layers no more; those that hold them keep them, and the database as it was below them. */
  private def finish(done: Vector[LayerOf], version: CommittedVersion): Unit = {
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

/** A snapshot in storage, as the database that was made from it or that it was made from remembers it. Version 0: there is none. */
private[engine] final case class StoredSnapshot(version: Long, tables: Vector[TableFile]) {
  def tableBytes: Long = tables.map(_.length).sum
}

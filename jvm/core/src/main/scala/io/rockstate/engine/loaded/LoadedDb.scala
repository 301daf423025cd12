package io.rockstate.engine.loaded

import java.nio.file.Path
import java.util.concurrent.RejectedExecutionException
import java.util.concurrent.atomic.AtomicBoolean

import org.slf4j.LoggerFactory

import io.rockstate.db.{CacheReads, LocalDb, WriteBatches}
import io.rockstate.engine.cache.{ReadCache, WriteThrough}
import io.rockstate.engine.layers.{ChangeLayer, LayerMerge}
import io.rockstate.engine.loaded.LoadedState.{LayerOf, Siblings}
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.errors.OnFailure
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.versions.{CommittedVersion, StateVersion}

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
    onClose: LoadedDb => Unit,
    replayed: ReplayedDeltas = ReplayedDeltas.none
) extends Applicable {
  import LoadedDb._

  private val writer = new OneWriter
  private val soundness = new Soundness(db.folder)
  private val isOpenedAnew = new AtomicBoolean
  @volatile private var keepsNewest = false
  private val cache = new LeasedCache(heap, loaded)

  /** Changed under the lock of this, read without. */
  @volatile private var state = LoadedState.of(new SharedView(db.view()), loaded, replayed)

  heap.addStore()

  override val isApplyWanted = new AtomicBoolean

  override def folder: Path = db.folder

  /** The version it holds. */
  def head: CommittedVersion = state.head

  /** Whether a change could not be applied, or RocksDB failed on the database: nobody is to begin on it any more. */
  def isBroken: Boolean = soundness.isLost || db.hasFailed

  def blockCacheReads: CacheReads = db.cacheReads

  /** Whether it has grown so far that it would be read faster if its files were opened anew. Who is told so sees to it, and nobody else until
    * then.
    */
  def isToOpenAnew: Boolean = {
    db.noteRows(head.rows)
    db.isOutgrown && !cache.hasAllRows && !keepsNewest && isOpenedAnew.compareAndSet(false, true)
  }

  def mayBeOpenedAnew(): Unit = isOpenedAnew.set(false)

  /** Whether changes wait to be applied. */
  def hasLayers: Boolean = state.layers.nonEmpty

  /** What a recovery of the version it holds would start from and replay. */
  def toReplay: ReplayedDeltas = state.replay

  /** The newest version that nobody goes back behind, and that everything to come goes on from: what a snapshot is worth being made of. */
  def settledVersion: CommittedVersion = settled.head

  /** What a recovery of that would start from and replay. */
  def settledReplay: ReplayedDeltas = settled.replay

  /** The newest snapshot in storage that this database is known to go back to. */
  def lastSnapshot: StoredSnapshot = toReplay.snapshot

  /** Takes note that storage has a snapshot that this database was made from, or that was made from it. */
  def noteSnapshot(manifest: SnapshotManifest): Unit = {
    update(now => now.copy(replay = now.replay.since(StoredSnapshot.of(manifest))))
    LocalNotes.writeSnapshot(folder, manifest)
  }

  /** Runs `body` on the version it holds, if that is the one that is wanted, and keeps it there meanwhile. */
  def holding[T](isWanted: CommittedVersion => Boolean)(body: CommittedVersion => T): Option[T] = synchronized {
    Option.when(state.holders > 0 && isSteady && isWanted(head)) {
      update(_.opened)
      body(head)
    }
  }

  /** Whether what leads to the newest version is kept apart until a transaction begins on that: it can turn to another one meanwhile. */
  def isToTurn: Boolean = keepsNewest

  /** Whether it is from now on. */
  def keepNewestApart(isWanted: Boolean): Unit = keepsNewest = isWanted

  /** Has `target` for its head, if that is the version before, or was made in the place of the head here and nobody has begun on either.
    * False, and nothing done, if it is not, or the database has gone on.
    */
  def turnTo(target: StateVersion): Boolean = writer.interruptibly {
    val turned = synchronized {
      val from = state
      val turned = if (isSteady) from.turnedTo(target) else None
      turned.map { case (base, to) => (from.head, base, update(_ => to)) }
    }
    turned.foreach { case (from, base, to) =>
      cache.turn(from, base, to.layers.lastOption.filter(_ => to.head ne base))
    }
    turned.isDefined
  }

  /** The version it holds, unaffected by what comes after; the caller closes it. */
  def view(): View = synchronized(state.view)

  /** Takes note that rows are wanted in order: merging layers into every scan costs more than applying them once. */
  def noteScan(): Unit = if (!state.isScanned || state.layers.nonEmpty) {
    if (!state.isScanned) update(_.copy(isScanned = true))
    applier.start(this)
  }

  /** Whether the caller has the cache from now on; not if another transaction has it. */
  def leaseCache(): Boolean = cache.lease()

  /** The leased cache with rows of `version`, which it held then. Waits for what is still to be written to it. */
  def cacheOf(version: CommittedVersion): ReadCache = cache.of(version)

  /** Takes the cache back.
    *
    * @param at    the version whose rows it has; null if it has no version's
    * @param lacks is written to it, too
    */
  def returnCache(at: CommittedVersion, lacks: Option[WriteThrough]): Unit = cache.giveBack(at, lacks)

  /** Takes back a cache that was not used. */
  def endLease(): Unit = cache.endLease()

  /** Has done in the background what commits have left; first the cache, which the next transaction waits for. Without a thread for it, those
    * who come to need it do it.
    */
  def catchUpSoon(): Unit =
    try {
      if (cache.isBehind && !keepsNewest) applier.soon(this)(cache.bringForward())
      if (settled.isWorthApplying(heap.layerShare)) applier.start(this)
    } catch { case e: RejectedExecutionException => log.warn(s"There is no thread for work on $folder", e) }

  /** Takes the changes that lead from `from` to `next`; false, and nothing done, if it does not hold `from` (any more).
    *
    * @param size of the delta that holds these changes
    */
  def advance(from: CommittedVersion, next: CommittedVersion, size: DeltaSize, changes: ChangeLayer): Boolean = {
    val holdsBase = synchronized {
      val holdsBase = isSteady && (head eq from)
      if (holdsBase) update(_.plus(LayerOf(next, size, changes)))
      holdsBase
    }
    if (holdsBase && heap.layersAreFull) makeRoom()
    holdsBase
  }

  /** Has `write` put a delta that is not to become a layer into the database, and goes on to the version it returns. If that fails half-way,
    * the database is broken. None, and nothing done, if it does not hold `from` (any more).
    */
  def applyPortions(
      from: CommittedVersion
  )(write: WriteBatches => (CommittedVersion, DeltaSize)): Option[CommittedVersion] = writer.interruptibly {
    applyLayers()
    Option.when(claim(from)) {
      try
        soundness.lostUnlessDone {
          val batches = newBatches()
          val (next, size) = write(batches)
          finish(batches, done = 0, next)(now => now.copy(replay = now.replay.plus(next.version, size)))
          next
        }
      finally update(_.copy(isReplaying = false))
    }
  }

  /** Puts changes into the database that do not make a version yet: only while the transaction that they are of is all that uses it, since it
    * began without rows. If that fails half-way, the database is broken.
    */
  def absorb(changes: ChangeLayer): Unit = writer.alone(soundness.lostUnlessDone {
    val batches = new WriteBatches(db.write)
    LayerMerge.addTo(batches, Array(changes))
    batches.flush()
    readFromNow(_.applied(_, done = 0, head))
  })

  /** Brings the database to the version that is held now. If it cannot, the whole of it is given up. */
  def applyLayers(): Unit = writer.alone(put(state.layers))

  /** Does at once what `catchUpSoon` would leave to the applier's thread: a task that begins on a hundred layers looks into each for every row. */
  def catchUp(): Unit = writer.interruptibly {
    val now = settled
    if (now.isWorthApplying(heap.layerShare)) put(now.layers)
  }

  /** As `applyLayers`, but for what is kept apart, and unless somebody is at work on the database, which may take long: that one applies what is
    * there first, and what comes meanwhile can wait for the next commit or scan.
    */
  override def applyLayersIfFree(): Unit = {
    writer.within(millis = 0)(put(settled.layers))
    ()
  }

  /** Brings the database to the version of the last of these, its oldest layers. */
  private def put(oldest: Vector[LayerOf]): Unit = if (oldest.nonEmpty && !soundness.isLost) soundness.lostUnlessDone {
    val batches = newBatches()
    LayerMerge.addTo(batches, oldest.reverseIterator.map(_.changes).toArray)
    finish(batches, oldest.size, oldest.last.version)(identity)
  }

  /** Leaves in `target` a copy of the database as it stands at the settled version when this begins, or a later one, which is returned. */
  def checkpoint(target: Path): CommittedVersion = writer.interruptibly {
    put(settled.layers)
    requireSound()
    db.checkpoint(target)
    requireNoFailure()
    state.applied
  }

  /** Fails, and gives the database up, if a table file in a copy of it is not what was written. */
  def verify(table: Path): Unit = db.verify(table)

  /** Brings the database to the settled version and all of it to the disk: it can be opened there again once it is closed. False, and nothing
    * done, where somebody else writes for longer than a moment.
    */
  def settle(): Boolean = writer.within(LongestWaitAtEnd) {
    put(settled.layers)
    requireSound()
    db.flush()
    requireNoFailure()
    LocalNotes.writeReplay(folder, settledReplay)
  }

  /** Throws if RocksDB has failed on it, at any time: another read, or another flush, need not. */
  private def requireNoFailure(): Unit = if (db.hasFailed) throw soundness.unfinished()

  /** Throws what made it break, if a change did. */
  def requireSound(): Unit = soundness.check()

  override def retain(): Boolean = synchronized {
    val isOpen = state.holders > 0
    if (isOpen) state = state.copy(holders = state.holders + 1)
    isOpen
  }

  override def release(): Unit = {
    val left = update(now => now.copy(holders = now.holders - 1))
    if (left.holders == 0)
      try left.below.release()
      finally
        try cache.close()
        finally
          try db.close()
          finally {
            heap.removeStore()
            heap.releaseLayers(left.layerBytes)
            onClose(this)
          }
  }

  private def update(change: LoadedState => LoadedState): LoadedState = synchronized {
    val after = change(state)
    heap.chargeLayers(after.layerBytes - state.layerBytes)
    state = after
    after
  }

  /** Whether transactions may start from it and go on with it. */
  private def isSteady: Boolean = !state.isReplaying && !soundness.isLost

  private def newBatches() = new WriteBatches(db.write, Some(CommittedVersion.UnfinishedKey))

  private def claim(from: CommittedVersion): Boolean = synchronized {
    val isFree = isSteady && state.layers.isEmpty && (head eq from)
    update(_.copy(isReplaying = isFree))
    isFree
  }

  /** Lets go of what can be loaded again. Waits for the applier, if it is at work, before it lends a hand: that may be enough, and takes
    * half the time.
    */
  private def makeRoom(): Unit = {
    update(_.copy(aside = Siblings.none))
    writer.alone(if (heap.layersAreFull) applyLayers())
  }

  /** Without what is kept apart. */
  private def settled: LoadedState = {
    val now = state
    if (keepsNewest && !now.isOpened) now.goneBack.getOrElse(now) else now
  }

  /** Writes the version record with the last of the changes, so that both take effect in one step. New transactions need the layers that are
    * done no more; those that hold them keep them, and the database as it was below them.
    */
  private def finish(changes: WriteBatches, done: Int, version: CommittedVersion)(
      also: LoadedState => LoadedState
  ): Unit = {
    changes.finish(CommittedVersion.RecordKey, version.toBytes)
    readFromNow((state, above) => also(state.applied(above, done, version)))
  }

  /** Has what begins from now on read the database as it stands. */
  private def readFromNow(change: (LoadedState, SharedView) => LoadedState): Unit = {
    val above = new SharedView(db.view())
    val below = OnFailure(above.release())(synchronized {
      val below = state.below
      update(change(_, above))
      below
    })
    below.release()
  }
}

private object LoadedDb {

  private val log = LoggerFactory.getLogger(classOf[LoadedDb])

  /** Milliseconds: who ends waits for who writes a few changes, not for who reads a large delta. */
  private val LongestWaitAtEnd = 2000L
}

package io.rockstate.engine.transaction

import scala.collection.mutable

import io.rockstate.engine.api.{KeyValueIterator, RecoveryMetrics, Transaction, TransactionMetrics}
import io.rockstate.engine.cache.{CachedRows, WriteThrough}
import io.rockstate.engine.commit.{CommitProtocol, DeltaInProgress}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.loaded.{CommittedRows, LoadedDb}
import io.rockstate.engine.records.{KeyHash, OrderedRows}
import io.rockstate.errors.Misuse
import io.rockstate.format.delta.{DeltaFooter, OperationCounts}
import io.rockstate.versions.{ColumnFamily, CommittedVersion, StateVersion}

import org.rocksdb.RocksIterator

/** A transaction on one view of a loaded database; `commits` is where its changes end up.
  *
  * @param base      the version as it was asked for
  * @param openDelta starts the delta file of this transaction
  */
private[engine] final class StoreTransaction(
    override val base: StateVersion,
    val source: LoadedDb,
    val committedBase: CommittedVersion,
    recovery: RecoveryMetrics,
    commits: CommitProtocol,
    openDelta: (CommittedVersion, String) => DeltaInProgress
) extends Transaction {
  import StoreTransaction._

  /** Names this transaction's commit from its start on: the delta's header carries it. */
  val commitId: String = java.util.UUID.randomUUID().toString

  source.retain()
  private val view = source.view()
  private var cache = source.leaseCache().orNull
  private var cacheHolds = committedBase
  private val cacheReadsBefore = source.blockCacheReads
  private lazy val delta = openDelta(committedBase, commitId)
  private val pending = new PendingWrites(cache, writeFrame)
  private val figures = new TransactionFigures(recovery)
  private val openScans = mutable.Set.empty[TransactionScan]
  private val scanAccess = new ScanAccess(this, lastScanned = _, closed)
  private val idleIterators = mutable.ArrayDeque.empty[RocksIterator]
  private val families = new FamilyChanges(committedBase.columnFamilies)
  private var lastScanned: Array[Byte] = _
  private var state: State = Updating

  override def get(key: Array[Byte]): Array[Byte] = synchronized {
    requireUpdating("read")
    val started = figures.startGet()
    val hash = KeyHash.of(key)
    val own = pending.newest(key, hash)
    val value =
      if (own >= 0) pending.value(own, fromBase(key, hash, keep = false)) else fromBase(key, hash, keep = true)
    figures.endedGet(started)
    value
  }

  override def contains(key: Array[Byte]): Boolean = synchronized {
    requireUpdating("read")
    val started = figures.startGet()
    val hash = KeyHash.of(key)
    val own = pending.newest(key, hash)
    val found = if (own >= 0) !pending.isRemoval(own) else isInBase(key, hash)
    if (own < 0 && !isCacheComplete) pending.learn(key, hash, found)
    figures.endedGet(started)
    found
  }

  override def put(key: Array[Byte], value: Array[Byte]): Unit = synchronized {
    requireUpdating("put")
    val started = figures.startPut()
    val hash = KeyHash.of(key)
    learnFromScan(key, hash)
    pending.put(key, hash, value)
    figures.endedWrite(started)
  }

  override def merge(key: Array[Byte], operand: Array[Byte]): Unit = synchronized {
    requireUpdating("merge")
    val started = figures.startMerge()
    val hash = KeyHash.of(key)
    learnFromScan(key, hash)
    pending.merge(key, hash, operand)
    figures.endedWrite(started)
  }

  override def remove(key: Array[Byte]): Unit = synchronized {
    requireUpdating("remove")
    val started = figures.startRemove()
    val hash = KeyHash.of(key)
    learnFromScan(key, hash)
    pending.remove(key, hash)
    figures.endedWrite(started)
  }

  override def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = synchronized {
    requireUpdating("scan")
    figures.scan {
      val end = boundOf(upper)
      opened(new Scan(pending, committedRows(lower, end), lower, end, scanAccess))
    }
  }

  override def scanUnordered(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = synchronized {
    requireUpdating("scan")
    fillCache()
    if (!isMostOfCache(lower)) scan(lower, upper)
    else figures.scan(opened(new CacheScan(pending, cache, lower, boundOf(upper), scanAccess)))
  }

  override def createColumnFamily(name: String, isInternal: Boolean): Int = synchronized {
    requireUpdating("create a column family")
    families.create(name, isInternal)
  }

  override def removeColumnFamily(name: String): Boolean = synchronized {
    requireUpdating("remove a column family")
    families.find(name).exists { family =>
      val rows = scanUnordered(family.firstKey, family.endKey)
      while (rows.next()) remove(rows.key)
      families.remove(name)
      true
    }
  }

  override def columnFamilies: Vector[ColumnFamily] = synchronized {
    state match {
      case Committed(version) => ColumnFamily.living(version.columnFamilies)
      case _ => families.all
    }
  }

  override def commit(): StateVersion = synchronized {
    requireUpdating("commit")
    var outcome: State = Failed
    try
      figures.commit {
        val frozen = figures.count(pending.freeze(view))
        val next = commits.versionAfter(
          this,
          families.after(frozen.rowChanges),
          frozen.layer.digestOn(committedBase.contentDigest)
        )
        delta.finish(footer(next))
        commits.publish(this, delta, next, frozen.layer, figures)
        figures.deltaBytes = delta.bytesWritten
        outcome = Committed(next)
        commits.named(next)
      }
    finally {
      end(outcome)
      delta.cancel()
    }
  }

  override def abort(): Unit = synchronized {
    state match {
      case Updating | FailedWrite =>
        end(Aborted)
        if (pending.mark > 0) delta.cancel()
      case Failed => state = Aborted
      case Aborted =>
      case Committed(version) =>
        throw new Misuse(
          "A committed transaction cannot be aborted",
          "The version is durable; start from an earlier one to go back.",
          Some(version.version)
        )
    }
  }

  override def hasCommitted: Boolean = synchronized(state.isInstanceOf[Committed])

  override def metrics: TransactionMetrics = synchronized {
    val (internal, visible) = columnFamilies.partition(_.isInternal)
    figures.result(visible.map(_.rows).sum, internal.map(_.rows).sum, pending.allocatedBytes)
  }

  /** Makes what was committed as `next` the cache's rows, for the transaction after this one. */
  def keepInCache(next: CommittedVersion, changes: ChangeLayer): Unit = if (cache != null) {
    new WriteThrough(cache, pending.addresses)(changes)
    cacheHolds = next
  }

  /** The base version's value.
    *
    * @param keep whether the cache may take it in: not if the key has been written
    */
  private def fromBase(key: Array[Byte], hash: Int, keep: Boolean): Array[Byte] = {
    val cached = if (cache == null) -1 else cache.find(key, hash)
    if (cached < 0 && !isCacheComplete) fromView(key, hash, keep)
    else {
      figures.rowHits += 1
      if (cached < 0) null else cache.value(cached)
    }
  }

  /** Whether the key is there is kept in mind for the commit: finding it out costs as much as the read. What the cache has need not be. */
  private def fromView(key: Array[Byte], hash: Int, keep: Boolean): Array[Byte] = {
    figures.rowMisses += 1
    val found = view.get(key, hash)
    if (keep && found != null && cache != null) cache.put(key, hash, found)
    else pending.learn(key, hash, found != null)
    found
  }

  private def isInBase(key: Array[Byte], hash: Int): Boolean =
    (cache != null && cache.find(key, hash) >= 0) || (!isCacheComplete && view.contains(key, hash))

  private def isCacheComplete: Boolean = cache != null && cache.isComplete

  /** What cuts this short, an interrupt too, may leave half of the frame in the delta: then nothing can follow it. */
  private def writeFrame(records: Array[Byte], length: Int, count: Int): Unit = {
    val before = state
    state = FailedWrite
    delta.frame(records, length, count)
    state = before
  }

  private def footer(next: CommittedVersion): DeltaFooter =
    DeltaFooter.of(
      committedBase.columnFamilies,
      next.columnFamilies,
      OperationCounts(pending.puts, pending.removes, pending.merges, rangeDeletes = 0),
      next.contentDigest
    )

  /** Evicting operators remove what a scan has just returned: its presence needs no look-up. */
  private def learnFromScan(key: Array[Byte], hash: Int): Unit =
    if (lastScanned != null && java.util.Arrays.equals(lastScanned, key)) {
      pending.learn(key, hash, present = true)
      lastScanned = null
    }

  private def opened(scan: TransactionScan): TransactionScan = {
    openScans += scan
    scan
  }

  private def closed(scan: TransactionScan): Unit = {
    openScans -= scan
    scan match {
      case ordered: Scan =>
        ordered.committed match {
          case rows: CommittedRows =>
            idleIterators += rows.base
            if (cache != null) cache.noteScan(rows.passed)
          case _ =>
        }
      case _ =>
    }
  }

  private def boundOf(upper: Array[Byte]): Array[Byte] = if (upper == null) CommittedVersion.RecordKey else upper

  private def committedRows(lower: Array[Byte], upper: Array[Byte]): OrderedRows = {
    fillCache()
    val sorted =
      if (isCacheComplete && isWithinFamily(lower, upper)) cache.sortedKeys(ColumnFamily.idOfBound(lower)) else null
    if (sorted != null) new CachedRows(cache, sorted, lower, upper)
    else {
      source.noteScan()
      storedRows(lower, upper)
    }
  }

  private def storedRows(lower: Array[Byte], upper: Array[Byte]): CommittedRows =
    new CommittedRows(view, idleIterators.removeLastOption().getOrElse(view.iterator()), lower, upper)

  /** After a recovery the cache is empty. Where it has room for all rows, scans need the database only until they have cost as much as to
    * read all of it once.
    */
  private def fillCache(): Unit = if (cache != null && cache.isWorthFilling(committedBase.rows)) {
    val all = storedRows(FirstKey, CommittedVersion.RecordKey)
    try cache.fill(all, committedBase.rows)
    finally {
      idleIterators += all.base
      pending.addresses.lookUpAgain()
    }
  }

  /** Whether only rows of the family that `lower` begins with can be in the range. */
  private def isWithinFamily(lower: Array[Byte], upper: Array[Byte]): Boolean =
    ColumnFamily.idOfBound(upper) == ColumnFamily
      .idOfBound(lower) || (ColumnFamily.idOfBound(upper) == ColumnFamily.idOfBound(lower) + 1 && upper.length <= 2)

  /** Whether the cache has all rows, and those of the family that `lower` begins with are a fair part of them. */
  private def isMostOfCache(lower: Array[Byte]): Boolean = isCacheComplete && {
    val family = ColumnFamily.idOfBound(lower)
    committedBase.columnFamilies.exists(f => f.id == family && f.rows >= cache.size / FairPart)
  }

  private def end(next: State): Unit = {
    state = next
    openScans.foreach(_.cut())
    openScans.clear()
    idleIterators.foreach(_.close())
    idleIterators.clear()
    view.close()
    if (cache != null) {
      source.returnCache(cacheHolds)
      cache = null
    }
    figures.cacheReads = source.blockCacheReads.since(cacheReadsBefore)
    commits.ended(this)
  }

  private def requireUpdating(operation: String): Unit = state match {
    case Updating =>
    case other =>
      throw new Misuse(
        s"Cannot $operation after ${other.name}",
        "Ask the provider for a new store of the version to go on from.",
        Some(base.version)
      )
  }
}

private object StoreTransaction {
  private val FirstKey = new Array[Byte](2)

  /** Passing over a row of another family takes a tenth of the time that finding one in the database does. */
  val FairPart = 8

  sealed abstract class State(val name: String)
  case object Updating extends State("updating")
  final case class Committed(version: CommittedVersion) extends State("commit")
  case object Aborted extends State("abort")

  /** A frame of the delta could not be written: only abort works. */
  case object FailedWrite extends State("a failed write")

  /** A commit that threw: only abort works. */
  case object Failed extends State("a failed commit")
}

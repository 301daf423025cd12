package io.rockstate.engine.transaction

import java.util.UUID

import io.rockstate.engine.api.{KeyValueIterator, RecoveryMetrics, Transaction, TransactionMetrics}
import io.rockstate.engine.commit.{Commit, CommitProtocol}
import io.rockstate.engine.loaded.LoadedBase
import io.rockstate.engine.records.KeyHash
import io.rockstate.errors.{Misuse, StateStoreException}
import io.rockstate.format.delta.{DeltaFooter, OperationCounts}
import io.rockstate.versions.{ColumnFamily, CommittedVersion, StateVersion}

/** A transaction on a loaded version.
  *
  * @param from     let go when the transaction ends
  * @param recovery what it took to load it
  * @param commits  where its changes end up
  */
private[engine] final class StoreTransaction(from: LoadedBase, recovery: RecoveryMetrics, commits: CommitProtocol)
    extends Transaction {
  import StoreTransaction._

  /** Names this transaction's commit from its start on: the delta's header carries it. */
  private val commitId = UUID.randomUUID().toString
  private lazy val delta = commits.openDelta(from.version, commitId)
  private val figures = new TransactionFigures(recovery)
  private val families = new FamilyChanges(from.version.columnFamilies)
  private val absorbed = new AbsorbedPortions(from.version)

  /** Null when it has ended: whoever still has the transaction then must not hold its writes. */
  private var portion = newPortion()
  private var endedBytes = 0L
  private var state: State = Updating

  override def base: StateVersion = from.asked

  override def get(key: Array[Byte]): Array[Byte] = synchronized {
    requireUpdating("read")
    val started = figures.startGet()
    val hash = KeyHash.of(key)
    val own = pending.newest(key, hash)
    val value =
      if (own >= 0) pending.value(own, reads.get(key, hash, keep = false)) else reads.get(key, hash, keep = true)
    figures.endedGet(started)
    value
  }

  override def contains(key: Array[Byte]): Boolean = synchronized {
    requireUpdating("read")
    val started = figures.startGet()
    val hash = KeyHash.of(key)
    val own = pending.newest(key, hash)
    val found = if (own >= 0) !pending.isRemoval(own) else reads.contains(key, hash)
    figures.endedGet(started)
    found
  }

  override def put(key: Array[Byte], value: Array[Byte]): Unit = synchronized {
    requireUpdating("put")
    makeRoom()
    val started = figures.startPut()
    val hash = KeyHash.of(key)
    reads.learnFromScan(key, hash)
    try pending.put(key, hash, value)
    catch failedWrite
    figures.endedWrite(started)
  }

  override def merge(key: Array[Byte], operand: Array[Byte]): Unit = synchronized {
    requireUpdating("merge")
    makeRoom()
    val started = figures.startMerge()
    val hash = KeyHash.of(key)
    reads.learnFromScan(key, hash)
    try pending.merge(key, hash, operand)
    catch failedWrite
    figures.endedWrite(started)
  }

  override def remove(key: Array[Byte]): Unit = synchronized {
    requireUpdating("remove")
    makeRoom()
    val started = figures.startRemove()
    val hash = KeyHash.of(key)
    reads.learnFromScan(key, hash)
    try pending.remove(key, hash)
    catch failedWrite
    figures.endedWrite(started)
  }

  override def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = synchronized {
    requireUpdating("scan")
    figures.scan(scans.ordered(lower, upper, isOrderWanted = true))
  }

  override def scanUnordered(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = synchronized {
    requireUpdating("scan")
    figures.scan(
      if (scans.isForCache(lower)) scans.unordered(lower, upper)
      else scans.ordered(lower, upper, isOrderWanted = false)
    )
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
        val frozen = figures.count(pending.freeze(from.view, absorbed.highestKey))
        val rows = families.after(absorbed.rowChangesWith(frozen))
        val next = commits.versionAfter(from, commitId, rows, absorbed.digestWith(frozen))
        delta.finish(footer(next))
        commits.publish(new Commit(from, next, frozen.layer, delta, pending.addresses, figures.commitTimes))
        figures.deltaBytes = delta.bytesWritten
        outcome = Committed(next)
        commits.named(next)
      }
    finally
      try end(outcome)
      finally delta.cancel()
  }

  override def abort(): Unit = synchronized {
    state match {
      case Updating | FailedWrite =>
        val hasWritten = pending.mark > 0
        try end(Aborted)
        finally if (hasWritten) delta.cancel()
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
    val bytes = if (portion == null) endedBytes else pendingBytes
    figures.result(visible.map(_.rows).sum, internal.map(_.rows).sum, bytes)
  }

  private def pendingBytes: Long = math.max(absorbed.mostBytes, pending.allocatedBytes)

  private def pending: PendingWrites = portion.pending
  private def reads: BaseReads = portion.reads
  private def scans: OpenScans = portion.scans
  private def newPortion(): Portion = new Portion(from, figures, this, writeFrame)

  /** Puts what was written so far into the database, if that is this transaction's alone and it is as much as is meant to be held. */
  private def makeRoom(): Unit = if (portion.isFull(commits.portionBytes)) orElseFailed {
    val frozen = figures.count(pending.freeze(from.view, absorbed.highestKey))
    scans.cut()
    figures.commitTimes.apply(from.absorb(frozen.layer))
    absorbed.add(frozen)
    portion = newPortion()
  }

  private def writeFrame(records: Array[Byte], length: Int, count: Int): Unit =
    orElseFailed(delta.frame(records, length, count))

  /** What cuts `body` short, an interrupt too, may leave half of a frame in the delta, or of a portion in the database: then nothing can follow. */
  private def orElseFailed(body: => Unit): Unit = {
    val before = state
    state = FailedWrite
    body
    state = before
  }

  /** What fails in a write, if it does not refuse the row, may leave a record that nobody counts: then nothing can follow. */
  private val failedWrite: PartialFunction[Throwable, Nothing] = {
    case e if !e.isInstanceOf[StateStoreException] =>
      state = FailedWrite
      throw e
  }

  private def footer(next: CommittedVersion): DeltaFooter =
    DeltaFooter.of(
      from.version.columnFamilies,
      next.columnFamilies,
      OperationCounts(pending.puts, pending.removes, pending.merges, rangeDeletes = 0),
      next.contentDigest
    )

  private def end(next: State): Unit = {
    state = next
    try {
      scans.cut()
      figures.cacheReads = from.blockCacheReads
      endedBytes = pendingBytes
    } finally {
      portion = null
      from.close()
    }
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
  sealed abstract class State(val name: String)
  case object Updating extends State("updating")
  final case class Committed(version: CommittedVersion) extends State("commit")
  case object Aborted extends State("abort")

  /** A frame of the delta, or a portion for the database, could not be written: only abort works. */
  case object FailedWrite extends State("a failed write")

  /** A commit that threw: only abort works. */
  case object Failed extends State("a failed commit")
}

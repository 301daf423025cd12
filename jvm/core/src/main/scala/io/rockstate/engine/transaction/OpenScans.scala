package io.rockstate.engine.transaction

import scala.collection.mutable

import io.rockstate.db.DbIterator
import io.rockstate.engine.api.KeyValueIterator
import io.rockstate.engine.cache.CachedRows
import io.rockstate.engine.loaded.{CommittedRows, LoadedBase}
import io.rockstate.engine.records.OrderedRows
import io.rockstate.errors.OnFailure
import io.rockstate.versions.{ColumnFamily, CommittedVersion}

/** A transaction's scans, until they are closed or the transaction ends. Native iterators are kept between them and sought anew: to open one
  * takes longer than a short scan. Scans that nobody drains may be many: the one that has an iterator longest gives it to the next, and
  * seeks its row again with another if it is read on. Not thread-safe.
  *
  * @param lock      guards the transaction
  * @param onScanned takes note of the key of a base version's row that a scan has returned
  */
private[engine] final class OpenScans(
    base: LoadedBase,
    pending: PendingWrites,
    lock: AnyRef,
    onScanned: Array[Byte] => Unit
) {
  import OpenScans._

  private val open = mutable.Set.empty[TransactionScan]
  private val idleIterators = mutable.ArrayDeque.empty[DbIterator]
  private val holding = mutable.LinkedHashSet.empty[CommittedRows]
  private val access = new ScanAccess(lock, onScanned, closed)

  /** In key order. A null `upper` is no bound.
    *
    * @param isOrderWanted whether others in key order are to be expected
    */
  def ordered(lower: Array[Byte], upper: Array[Byte], isOrderWanted: Boolean): KeyValueIterator = {
    val end = boundOf(upper)
    val rows = committedRows(lower, end)
    OnFailure(giveBack(rows)) {
      val family = ColumnFamily.idOfBound(lower)
      val passing = if (isForCacheToo(rows, lower, end)) new PassingRows(base, pending, family) else null
      if (passing != null && isOrderWanted) base.cache.keepOrder(family)
      opened(new Scan(pending, rows, lower, end, access, passing))
    }
  }

  /** Whether a scan in no order from `lower` on is best answered by walking the cache from end to end. */
  def isForCache(lower: Array[Byte]): Boolean = {
    fillCache()
    isMostOfCache(lower)
  }

  /** In no order; only where `isForCache` says so. */
  def unordered(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator =
    opened(new CacheScan(pending, base.cache, lower, boundOf(upper), access))

  def isAnyOpen: Boolean = open.nonEmpty

  /** Ends all scans: the transaction has ended, or goes on from something else. */
  def cut(): Unit = {
    open.foreach(_.cut())
    open.clear()
    holding.foreach(_.close())
    holding.clear()
    idleIterators.foreach(_.close())
    idleIterators.clear()
  }

  private def opened(scan: TransactionScan): TransactionScan = {
    open += scan
    scan
  }

  private def closed(scan: TransactionScan): Unit = {
    open -= scan
    scan match {
      case ordered: Scan =>
        ordered.committed match {
          case rows: CommittedRows =>
            giveBack(rows)
            if (ordered.passing != null) ordered.passing.end(rows.passed)
            else if (base.cache != null) base.cache.noteScan(rows.passed)
          case _ =>
        }
      case _ =>
    }
  }

  private def boundOf(upper: Array[Byte]): Array[Byte] = if (upper == null) CommittedVersion.RecordKey else upper

  private def committedRows(lower: Array[Byte], upper: Array[Byte]): OrderedRows = {
    fillCache()
    if (base.isCacheComplete && isWithinFamily(lower, upper))
      new CachedRows(base.cache, base.cache.sortedKeys(ColumnFamily.idOfBound(lower)), lower, upper)
    else {
      base.source.noteScan()
      storedRows(lower, upper)
    }
  }

  private def storedRows(lower: Array[Byte], upper: Array[Byte]): CommittedRows =
    new CommittedRows(base.view, lend, lower, upper)

  private def lend(rows: CommittedRows): DbIterator = {
    if (holding.size >= MostIterators) giveBack(holding.head)
    val iterator = idleIterators.removeLastOption().getOrElse(base.view.iterator())
    holding += rows
    iterator
  }

  private def giveBack(rows: OrderedRows): Unit = rows match {
    case stored: CommittedRows if holding.remove(stored) => idleIterators += stored.handBack()
    case _ =>
  }

  /** After a recovery the cache is empty. Where it has room for all rows, scans need the database only until they have cost as much as to
    * read all of it once.
    */
  private def fillCache(): Unit = if (base.cache != null && base.cache.isWorthFilling(base.version.rows)) {
    val all = storedRows(FirstKey, CommittedVersion.RecordKey)
    try base.cache.fill(all, base.version.rows)
    finally {
      giveBack(all)
      pending.addresses.lookUpAgain()
    }
  }

  /** Whether the rows come from the database, begin with a column family's first, and have room in the cache. */
  private def isForCacheToo(rows: OrderedRows, lower: Array[Byte], upper: Array[Byte]): Boolean =
    base.cache != null && rows.isInstanceOf[CommittedRows] && lower.length <= 2 && isWithinFamily(lower, upper) &&
      base.cache.mayTakeIn(base.version.rows)

  /** Whether only rows of the family that `lower` begins with can be in the range. */
  private def isWithinFamily(lower: Array[Byte], upper: Array[Byte]): Boolean = {
    val first = ColumnFamily.idOfBound(lower)
    val last = ColumnFamily.idOfBound(upper)
    last == first || (last == first + 1 && upper.length <= 2)
  }

  /** Whether the cache has all rows, and those of the family that `lower` begins with are a fair part of them. */
  private def isMostOfCache(lower: Array[Byte]): Boolean = base.isCacheComplete && {
    val family = ColumnFamily.idOfBound(lower)
    base.version.columnFamilies.exists(f => f.id == family && f.rows >= base.cache.size / FairPart)
  }
}

private object OpenScans {
  private val FirstKey = new Array[Byte](2)

  /** Each takes some 10 KB and keeps what it stands on in memory. */
  private val MostIterators = 256

  /** Passing over a row of another family takes a tenth of the time that finding one in the database does. */
  private val FairPart = 8
}

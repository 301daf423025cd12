package io.rockstate.reference

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** One transaction: what the base version holds, what was written, and what that makes. Ended, it refuses reads and writes. */
class ReferenceStore(
    val provider: ReferenceStoreProvider,
    val base: Version,
    val before: Contents,
    val opening: ReferenceStore.Opening
) extends StateStore {
  import ReferenceStore._

  protected val written: mutable.Buffer[Change] = mutable.Buffer.empty
  protected var now: Contents = before
  private var phase: Phase = Updating

  override def id: StateStoreId = provider.stateStoreId

  override def version: Long = base.number

  /** What reads see. */
  def contents: Contents = now

  /** What the transaction wrote, in order. */
  def changes: Seq[Change] = written.toSeq

  def isOpen: Boolean = phase == Updating

  override def get(key: UnsafeRow, family: String): UnsafeRow = values(key, family).headOption.map(handOut).orNull

  override def multiGet(keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] = keys.iterator.map(get(_, family))

  override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = {
    requireMultiple(family)
    values(key, family).iterator.map(handOut)
  }

  override def iterator(family: String): StateStoreIterator[UnsafeRowPair] = firsts(scan(family)(_ => true))

  override def prefixScan(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] =
    firsts(prefixed(prefix, family))

  override def rangeScan(
      start: Option[UnsafeRow],
      end: Option[UnsafeRow],
      family: String
  ): StateStoreIterator[UnsafeRowPair] = firsts(ranged(start, end, family))

  override def iteratorWithMultiValues(family: String): StateStoreIterator[UnsafeRowPair] = {
    requireMultiple(family)
    each(scan(family)(_ => true))
  }

  override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] = {
    requireMultiple(family)
    each(prefixed(prefix, family))
  }

  override def rangeScanWithMultiValues(
      start: Option[UnsafeRow],
      end: Option[UnsafeRow],
      family: String
  ): StateStoreIterator[UnsafeRowPair] = {
    requireMultiple(family)
    each(ranged(start, end, family))
  }

  override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
    require(value != null, "Cannot put a null value")
    write(Put(one(family), keyOf(key, family), Vector(keep(value))))
  }

  override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
    write(Put(several(family), keyOf(key, family), copies(values)))

  override def merge(key: UnsafeRow, value: UnsafeRow, family: String): Unit = mergeList(key, Array(value), family)

  override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
    write(Merge(several(family), keyOf(key, family), copies(values)))

  override def remove(key: UnsafeRow, family: String): Unit = write(Remove(one(family), keyOf(key, family)))

  override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit =
    ranged(Some(begin), Some(end), family).foreach { case (key, _) => write(Remove(place(family), key)) }

  override def createColFamilyIfAbsent(
      family: String,
      keySchema: StructType,
      valueSchema: StructType,
      spec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      isInternal: Boolean
  ): Unit = {
    requireFamilyName(family, isInternal)
    provider.declare(family, new Declared(provider.keyOrder(spec), useMultipleValuesPerKey))
    if (!now.families.contains(family)) write(CreateFamily(family, isInternal))
  }

  override def removeColFamilyIfExists(family: String): Boolean = {
    requireFamilyName(family, isInternal = false)
    val existed = now.families.contains(family)
    if (existed) write(RemoveFamily(family))
    existed
  }

  override def allColumnFamilyNames: Set[String] = contents.families.keySet

  override def commit(): Long = {
    requireOpen("commit")
    phase = Failed
    phase = provider.commit(this)
    base.number + 1
  }

  override def abort(): Unit = end(Aborted)

  override def release(): Unit = end(Released)

  override def hasCommitted: Boolean = committed.isDefined

  override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
    val version = committed.getOrElse(throw new IllegalStateException("There is no checkpoint before a commit")).version
    StateStoreCheckpointInfo(id.partitionId, version.number, version.id, base.id)
  }

  override def metrics: StateStoreMetrics = {
    val bytes = committed.fold(0L)(_.deltaBytes.toLong)
    StateStoreMetrics(numKeys, memoryUsedBytes = 64 * numKeys, Map(ReferenceStoreProvider.deltaBytes -> bytes))
  }

  protected def numKeys: Long = (if (phase == Aborted) before else contents).numKeys

  /** The row as it is kept: callers may use theirs again. */
  protected def keep(value: UnsafeRow): UnsafeRow = copyOf(value)

  /** A kept row as callers get it: they may change theirs. */
  protected def handOut(value: UnsafeRow): UnsafeRow = copyOf(value)

  /** The family whose rows a name stands for. */
  protected def place(family: String): String = family

  protected def write(change: Change): Unit = {
    requireOpen("write")
    now = now.after(change)
    written += change
  }

  protected def prefixed(prefix: UnsafeRow, family: String): Seq[Row] = {
    val order = declared(family).order
    if (!order.supportsPrefixScan) throw new UnsupportedOperationException(s"prefix scan of $family")
    scan(family)(order.hasPrefix(_, prefix))
  }

  protected def ranged(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Seq[Row] = {
    val order = declared(family).order
    if (!order.supportsRangeScan) throw new UnsupportedOperationException(s"range scan of $family")
    scan(family)(key => start.forall(isFrom(order, key, _)) && end.forall(isBefore(order, key, _)))
  }

  protected def isFrom(order: KeyOrder, key: UnsafeRow, start: UnsafeRow): Boolean =
    order.isAt(key, start) || order.ordering.lteq(start, key)

  protected def isBefore(order: KeyOrder, key: UnsafeRow, end: UnsafeRow): Boolean =
    !order.isAt(key, end) && order.ordering.lt(key, end)

  /** The rows for an iterator to go through: later writes do not change them. */
  protected def rowsFor(rows: Seq[Row]): Iterator[Row] = rows.iterator

  protected def requireOpen(operation: String): Unit =
    if (!isOpen) throw new IllegalStateException(s"Cannot $operation: the store is $phase")

  private def values(key: UnsafeRow, family: String): Vector[UnsafeRow] = {
    declared(family)
    requireKey(key)
    contents.families(place(family)).rows.getOrElse(key, Vector.empty)
  }

  private def scan(family: String)(wanted: UnsafeRow => Boolean): Seq[Row] = {
    val order = declared(family).order
    val rows = provider.visible(this, place(family)).filter { case (key, _) => wanted(key) }.toVector
    if (order.supportsPrefixScan) rows.sortBy(_._1)(order.ordering) else rows
  }

  private def firsts(rows: Seq[Row]): StateStoreIterator[UnsafeRowPair] =
    new StateStoreIterator(rowsFor(rows).collect { case (key, first +: _) => pair(key, first) })

  private def each(rows: Seq[Row]): StateStoreIterator[UnsafeRowPair] =
    new StateStoreIterator(rowsFor(rows).flatMap { case (key, values) => values.iterator.map(pair(key, _)) })

  private def pair(key: UnsafeRow, value: UnsafeRow) = new UnsafeRowPair(copyOf(key), handOut(value))

  private def copies(values: Array[UnsafeRow]): Vector[UnsafeRow] = {
    require(values != null && !values.contains(null), "Cannot put or merge a null value")
    values.map(keep).toVector
  }

  /** The key as it is kept: with its family's columns, however many its row says to have. */
  private def keyOf(key: UnsafeRow, family: String): UnsafeRow = {
    val kept = copyOf(key)
    Rows.point(new UnsafeRow(declared(family).order.schema.size), kept)
  }

  private def copyOf(row: UnsafeRow): UnsafeRow = {
    requireKey(row)
    row.copy()
  }

  private def one(family: String): String = {
    declared(family)
    place(family)
  }

  private def several(family: String): String = {
    requireMultiple(family)
    place(family)
  }

  private def requireKey(key: UnsafeRow): Unit = if (key == null) throw new IllegalStateException("Key cannot be null")

  private def requireMultiple(family: String): Unit =
    if (!declared(family).hasMultipleValues) {
      throw new UnsupportedOperationException(s"multiple values per key: $family has one")
    }

  protected def requireFamilyName(family: String, isInternal: Boolean): Unit = {
    requireOpen("change column families")
    if (!provider.useColumnFamilies) throw new UnsupportedOperationException("column families: the store has only one")
    val isReserved = (family == StateStore.DEFAULT_COL_FAMILY_NAME || family.startsWith("$")) && !isInternal
    if (family.isBlank || family != family.trim || isReserved) {
      throw new IllegalArgumentException(s"'$family' is no name for a column family")
    }
  }

  private def declared(family: String): Declared = {
    requireOpen("read or write")
    if (!contents.families.contains(family)) throw new IllegalArgumentException(s"There is no column family $family")
    provider.declared(family)
  }

  private def committed: Option[Committed] = Option(phase).collect { case committed: Committed => committed }

  private def end(next: Phase): Unit = phase match {
    case Updating | Failed => phase = next
    case _: Committed => throw new IllegalStateException(s"Cannot end: the store is $phase")
    case Aborted | Released =>
  }
}

object ReferenceStore {
  type Row = (UnsafeRow, Vector[UnsafeRow])

  /** What a store was asked for with.
    *
    * @param startsEmpty   whether it has nothing of its base
    * @param takesSnapshot whether its commit writes a snapshot too
    */
  final case class Opening(startsEmpty: Boolean = false, takesSnapshot: Boolean = false)

  /** A column family as its operator has declared it. */
  final class Declared(val order: KeyOrder, val hasMultipleValues: Boolean)

  sealed trait Phase
  case object Updating extends Phase
  case object Failed extends Phase
  final case class Committed(version: Version, deltaBytes: Int) extends Phase
  case object Aborted extends Phase
  case object Released extends Phase
}

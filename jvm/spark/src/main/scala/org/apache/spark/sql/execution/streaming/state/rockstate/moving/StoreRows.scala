package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{
  ReadStateStore,
  RocksDBStateStoreProvider,
  StateStore,
  UnsafeRowPair
}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.WholeStores

import io.rockstate.errors.{CorruptFile, NotFound, OnFailure, StateStoreException, Unavailable, Unsupported}

/** Every row of one version of a store's partition, family by family, internal ones included. A row counts until the next is asked for. */
private[rockstate] final class StoreRows(plan: StorePlan, partition: Int, side: StateSide, hadoopConf: Configuration)
    extends AutoCloseable {
  private val provider = reading(plan.open(partition, side, hadoopConf))
  private val (store, families) = OnFailure(provider.close())(reading(opened()))
  private val counted = families.map(family => new FamilyRows(store, family))

  def iterator: Iterator[StoreRow] = {
    val rows = counted.iterator.flatMap(_.iterator)
    new Iterator[StoreRow] {
      override def hasNext: Boolean = reading(rows.hasNext)
      override def next(): StoreRow = reading(rows.next())
    }
  }

  /** The value of a key, where there are no column families. */
  def valueOf(key: UnsafeRow): Option[UnsafeRow] = reading {
    Option(store.get(key, StateStore.DEFAULT_COL_FAMILY_NAME)).map(_.copy())
  }

  /** What has come by. */
  def totals: Map[FamilyKey, RowTotals] =
    counted.map(rows => FamilyKey(plan.operator, plan.store, rows.family.name) -> rows.totals).toMap

  override def close(): Unit =
    try store.abort()
    finally provider.close()

  /** The store, and which of the plan's families it has. Only a store that may be written to takes column families. */
  private def opened(): (ReadStateStore, Vector[FamilyPlan]) = {
    val id = side.idOf(plan, partition)
    if (!plan.hasColumnFamilies) (provider.getReadStore(side.version, id), plan.families)
    else {
      val store = declarable(id)
      OnFailure(store.abort()) {
        val known = plan.families.map(_.name).toSet
        val found = WholeStores.familiesOf(store)
        val unknown = found.filterNot(f => known(f) || FamilyPlan.isDefault(f))
        if (unknown.nonEmpty) throw undeclared(unknown)
        val there = plan.families.filter(f => !f.isFormer || found(f.name))
        there.filterNot(_.isDefault).foreach(_.declare(store))
        (store, there)
      }
    }
  }

  /** Spark's RocksDB provider begins the next version's file in storage as soon as it opens a store to write; those to be read are of the
    * same class, and take families, too.
    */
  private def declarable(id: Option[String]): StateStore = provider match {
    case rocksDb: RocksDBStateStoreProvider => rocksDb.getReadStore(side.version, id)
    case _ => provider.getStore(side.version, id)
  }

  /** What other providers throw on files that they cannot read says neither where nor what to do. */
  private def reading[T](body: => T): T =
    try body
    catch {
      case NonFatal(e) =>
        throw Iterator
          .iterate[Throwable](e)(_.getCause)
          .takeWhile(_ != null)
          .collectFirst {
            // Of its own remedies one is for a query, which is not at hand here.
            case own: CorruptFile =>
              new CorruptFile(own.problem, s"${own.remedy} $Verify", own.file.get, own.version, own)
            case own: NotFound => new NotFound(own.problem, s"${own.remedy} $Verify", own.file.get, own.version, own)
            case own: StateStoreException => own
          }
          .getOrElse(foreign(e))
    }

  private def foreign(e: Throwable): Unavailable = new Unavailable(
    s"Operator ${plan.operator} (${plan.operatorName}) cannot be read in partition $partition, store ${plan.store}: $e",
    Verify,
    Some(s"${side.stateRoot}/${plan.operator}/$partition"),
    cause = e
  )

  private def Verify = "See what `rockstate verify` says of the checkpoint."

  private def undeclared(families: Set[String]): Unsupported = new Unsupported(
    s"The store has column families that none of its schemas names: ${families.toVector.sorted.mkString(", ")}",
    "Their rows would be lost. If they are of state variables that the program has no more, run one batch with a program " +
      "whose init() calls deleteIfExists with their names; else report this with the query's plan.",
    Some(s"${side.stateRoot}/${plan.operator}/$partition")
  )
}

/** @param isNext whether it is one more value of the key before it */
private[rockstate] final case class StoreRow(family: FamilyPlan, pair: UnsafeRowPair, isNext: Boolean)

private final class FamilyRows(store: ReadStateStore, val family: FamilyPlan) {
  private var seen = RowTotals.none
  private var lastKey: UnsafeRow = _
  private var index = 0

  def totals: RowTotals = seen

  def iterator: Iterator[StoreRow] = {
    val rows = if (family.isMultiValued) WholeStores.allValues(store, family.name) else store.iterator(family.name)
    rows.map { pair =>
      val isNext = family.isMultiValued && pair.key == lastKey
      index = if (isNext) index + 1 else 0
      if (family.isMultiValued && !isNext) lastKey = pair.key.copy()
      seen = seen.plus(pair.key, pair.value, index)
      StoreRow(family, pair, isNext)
    }
  }
}

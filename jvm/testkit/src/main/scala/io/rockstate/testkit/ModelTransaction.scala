package io.rockstate.testkit

import io.rockstate.engine.api.{KeyValueIterator, Transaction, TransactionMetrics}
import io.rockstate.errors.Misuse
import io.rockstate.versions.{ColumnFamily, StateVersion}

import ModelStore.Content

/** A transaction of the model: it changes a copy. */
private[testkit] final class ModelTransaction(
    store: ModelStore,
    override val base: StateVersion,
    start: Content
) extends Transaction {
  import ModelTransaction._

  private var content = start
  private var state: State = Updating
  private var figures = TransactionMetrics()

  override def get(key: Array[Byte]): Array[Byte] = updating("read") {
    figures = figures.copy(gets = figures.gets + 1)
    content.rows.get(key).fold[Array[Byte]](null)(_.clone())
  }

  override def contains(key: Array[Byte]): Boolean = updating("read")(content.rows.contains(key))

  override def put(key: Array[Byte], value: Array[Byte]): Unit = updating("put") {
    figures = figures.copy(puts = figures.puts + 1)
    content = content.copy(rows = content.rows.updated(key.clone(), value.clone()))
  }

  override def merge(key: Array[Byte], operand: Array[Byte]): Unit = updating("merge") {
    figures = figures.copy(merges = figures.merges + 1)
    val value = content.rows.getOrElse(key, Array.emptyByteArray) ++ operand
    content = content.copy(rows = content.rows.updated(key.clone(), value))
  }

  override def remove(key: Array[Byte]): Unit = updating("remove") {
    figures = figures.copy(removes = figures.removes + 1)
    content = content.copy(rows = content.rows - key)
  }

  override def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = updating("scan") {
    figures = figures.copy(scans = figures.scans + 1)
    new ModelScan(content.between(lower, upper).iterator, () => updating("scan")(()))
  }

  override def createColumnFamily(name: String, isInternal: Boolean): Int = updating("create a column family") {
    content.families
      .find(_.name == name)
      .fold {
        val id = content.lastFamilyId + 1
        val family = ColumnFamily(id, name, isInternal, rows = 0)
        content = content.copy(families = content.families :+ family, lastFamilyId = id)
        id
      }(_.id)
  }

  override def removeColumnFamily(name: String): Boolean = updating("remove a column family") {
    val family = content.families.find(_.name == name)
    family.foreach(found => content = content.without(found))
    family.isDefined
  }

  override def commit(): StateVersion = updating("commit") {
    state = Failed
    val version = store.commit(base, content)
    state = Committed
    version
  }

  override def abort(): Unit = synchronized {
    if (state == Committed) {
      throw new Misuse(
        "A committed transaction cannot be aborted",
        "Start from an earlier version to go back.",
        Some(base.version)
      )
    }
    if (state != Aborted) content = start
    state = Aborted
  }

  override def hasCommitted: Boolean = synchronized(state == Committed)

  override def columnFamilies: Vector[ColumnFamily] = synchronized {
    if (state == Committed) content.counted
    else content.families.map(f => f.copy(rows = start.counted.find(_.name == f.name).fold(0L)(_.rows)))
  }

  override def metrics: TransactionMetrics = synchronized {
    figures.copy(rows = columnFamilies.filterNot(_.isInternal).map(_.rows).sum)
  }

  private def updating[A](operation: String)(body: => A): A = synchronized {
    if (state != Updating) {
      throw new Misuse(s"Cannot $operation after ${state.name}", "Begin a new transaction.", Some(base.version))
    }
    body
  }
}

private object ModelTransaction {
  sealed abstract class State(val name: String)
  case object Updating extends State("updating")
  case object Committed extends State("commit")
  case object Aborted extends State("abort")
  case object Failed extends State("a failed commit")
}

/** Walks a map that nothing changes any more. */
private[testkit] final class ModelScan(rows: Iterator[(Array[Byte], Array[Byte])], requireUpdating: () => Unit)
    extends KeyValueIterator {
  private var current: (Array[Byte], Array[Byte]) = _
  private var isClosed = false

  override def next(): Boolean = {
    if (!isClosed) requireUpdating()
    val found = !isClosed && rows.hasNext
    if (found) current = rows.next()
    found
  }

  override def key: Array[Byte] = current._1.clone()
  override def value: Array[Byte] = current._2.clone()
  override def close(): Unit = isClosed = true
}

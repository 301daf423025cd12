package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStore

/** What one write does to a store; a transaction is a sequence of them. */
sealed trait Change
final case class CreateFamily(family: String, isInternal: Boolean) extends Change
final case class RemoveFamily(family: String) extends Change

object Change {

  /** Whether it is of rows of another family than the store's own. */
  def isOfAFamily(change: Change): Boolean = change match {
    case change: KeyChange => change.family != StateStore.DEFAULT_COL_FAMILY_NAME
    case _ => false
  }
}

/** A change of one key's values. */
sealed trait KeyChange extends Change {
  def family: String
  def key: UnsafeRow
}
final case class Put(family: String, key: UnsafeRow, values: Vector[UnsafeRow]) extends KeyChange
final case class Merge(family: String, key: UnsafeRow, values: Vector[UnsafeRow]) extends KeyChange
final case class Remove(family: String, key: UnsafeRow) extends KeyChange

/** A column family's keys, each with its values in the order they were added. Rows in here are nobody else's. */
final case class Family(isInternal: Boolean, rows: Map[UnsafeRow, Vector[UnsafeRow]])

/** All that one version of a store holds. Immutable: transactions, readers and iterators cannot disturb one another. */
final case class Contents(families: Map[String, Family]) {
  import Contents.Rows

  /** The contents after the change, which does nothing to a family that does not exist. */
  def after(change: Change): Contents = change match {
    case CreateFamily(name, _) if families.contains(name) => this
    case CreateFamily(name, isInternal) => Contents(families.updated(name, Family(isInternal, Map.empty)))
    case RemoveFamily(name) => Contents(families.removed(name))
    case Put(name, key, values) => changed(name)(_.updated(key, values))
    case Merge(name, key, values) =>
      changed(name)(rows => rows.updated(key, rows.getOrElse(key, Vector.empty) ++ values))
    case Remove(name, key) => changed(name)(_.removed(key))
  }

  def after(changes: Iterable[Change]): Contents = changes.foldLeft(this)(_ after _)

  /** The same families with other rows, by their names and what they have. */
  def withRows(change: (String, Rows) => Rows): Contents =
    Contents(families.map { case (name, family) => name -> family.copy(rows = change(name, family.rows)) })

  /** The keys of all families that are not internal. */
  def numKeys: Long = families.values.filterNot(_.isInternal).map(_.rows.size.toLong).sum

  private def changed(name: String)(change: Rows => Rows): Contents =
    families.get(name).fold(this)(family => Contents(families.updated(name, family.copy(rows = change(family.rows)))))
}

object Contents {

  /** A family's keys with their values. */
  type Rows = Map[UnsafeRow, Vector[UnsafeRow]]

  val empty: Contents = Contents(Map(StateStore.DEFAULT_COL_FAMILY_NAME -> Family(isInternal = false, Map.empty)))
}

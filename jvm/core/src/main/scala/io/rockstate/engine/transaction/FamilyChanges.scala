package io.rockstate.engine.transaction

import scala.collection.mutable

import io.rockstate.errors.{Misuse, Unsupported}
import io.rockstate.versions.ColumnFamily

/** A store's column families as one transaction changes them. Ids are given once: rows under the id of a family that was removed count against
  * it in this transaction, and are in the change feed for ever. Not thread-safe.
  *
  * @param before the base version's table
  */
private[engine] final class FamilyChanges(before: Vector[ColumnFamily]) {
  private val living = mutable.LinkedHashMap.from(ColumnFamily.living(before).map(f => f.name -> f))
  private var lastId = before.map(_.id).max

  def all: Vector[ColumnFamily] = living.values.toVector

  def find(name: String): Option[ColumnFamily] = living.get(name)

  /** The id of the family with this name; a new one if there is none. */
  def create(name: String, isInternal: Boolean): Int = {
    if (name.isEmpty) throw new Misuse("A column family without a name", "Name it.")
    living.getOrElseUpdate(name, ColumnFamily(newId(name), name, isInternal, rows = 0)).id
  }

  def remove(name: String): Unit = living -= name

  /** The table of the version after.
    *
    * @param rowChanges how each family's row count changes, by its id; those with higher ids do not change
    */
  def after(rowChanges: Array[Long]): Vector[ColumnFamily] = {
    val changed = all.map(f => f.copy(rows = f.rows + rowChanges.applyOrElse(f.id, (_: Int) => 0L)))
    // It would be published, and no reader would take it.
    changed
      .find(_.rows < 0)
      .foreach(f => throw new IllegalStateException(s"The family '${f.name}' would have ${f.rows} rows"))
    ColumnFamily.withIdsUpTo(lastId, changed)
  }

  private def newId(name: String): Int = {
    if (lastId == ColumnFamily.HighestId) {
      throw new Unsupported(
        s"The column family '$name' would need an id above ${ColumnFamily.HighestId}, the last one",
        "Ids of removed column families are not given again: start with a new checkpoint, or use fewer families."
      )
    }
    lastId += 1
    lastId
  }
}

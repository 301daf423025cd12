package io.rockstate.format.delta

import io.rockstate.errors.Conflict
import io.rockstate.versions.ColumnFamily

/** The column families after a delta: the whole table if it differs from the base's in more than row counts, or else only those. */
sealed trait TableAfter
final case class NewTable(columnFamilies: Vector[ColumnFamily]) extends TableAfter
final case class SameTable(rows: Vector[FamilyRows]) extends TableAfter

final case class FamilyRows(id: Int, rows: Long)

/** What a delta says about the version it makes.
  *
  * @param counts        must add up to the records in the frames
  * @param contentDigest of the version this delta makes
  */
final case class DeltaFooter(table: TableAfter, counts: OperationCounts, contentDigest: Long) {

  /** Whether it can be of a delta on a base with these column families. */
  def fits(base: Vector[ColumnFamily]): Boolean = table match {
    case NewTable(_) => true
    case SameTable(rows) => rows.map(_.id) == base.map(_.id)
  }

  /** Whether the version that it makes can have these. */
  def makes(families: Vector[ColumnFamily]): Boolean = table match {
    case NewTable(columnFamilies) => columnFamilies == families
    case SameTable(rows) => rows == families.map(family => FamilyRows(family.id, family.rows))
  }

  /** The column families after this delta, given those of its base. Refuses a base with other families. */
  def columnFamilies(base: Vector[ColumnFamily]): Vector[ColumnFamily] = table match {
    case NewTable(columnFamilies) => columnFamilies
    case SameTable(rows) =>
      if (!fits(base))
        throw new Conflict(
          s"The delta counts rows of column families ${rows.map(_.id).mkString(", ")}, but its base has ${base.map(_.id).mkString(", ")}",
          "Files of two histories of the store are mixed: restore the folder from one backup, or restart from an earlier version."
        )
      base.zip(rows).map { case (family, FamilyRows(_, count)) => family.copy(rows = count) }
  }
}

object DeltaFooter {

  /** The footer of a delta that turns `base` into `now`; stores names only if they changed. */
  def of(
      base: Vector[ColumnFamily],
      now: Vector[ColumnFamily],
      counts: OperationCounts,
      contentDigest: Long
  ): DeltaFooter = {
    val isSame = base.map(_.copy(rows = 0)) == now.map(_.copy(rows = 0))
    val table = if (isSame) SameTable(now.map(family => FamilyRows(family.id, family.rows))) else NewTable(now)
    DeltaFooter(table, counts, contentDigest)
  }
}

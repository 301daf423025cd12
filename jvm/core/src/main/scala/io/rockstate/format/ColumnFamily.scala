package io.rockstate.format

/** One of a store's column families: engine keys start with its id (two bytes, big-endian).
  *
  * @param rows exact number of keys in it at the version this table belongs to
  */
final case class ColumnFamily(id: Int, name: String, isInternal: Boolean, rows: Long)

object ColumnFamily {
  val DefaultName = "default"
  val DefaultId = 0

  /** The table of a store that has never been written to. */
  val initial: Vector[ColumnFamily] = Vector(ColumnFamily(DefaultId, DefaultName, isInternal = false, rows = 0))
}

package io.rockstate.versions

/** One of a store's column families: engine keys start with its id (two bytes, big-endian).
  *
  * @param rows exact number of keys in it at the version this table belongs to
  */
final case class ColumnFamily(id: Int, name: String, isInternal: Boolean, rows: Long) {

  /** The smallest engine key that it can hold. */
  def firstKey: Array[Byte] = ColumnFamily.prefix(id)

  /** The smallest engine key beyond it. */
  def endKey: Array[Byte] = ColumnFamily.prefix(id + 1)

  /** Whether this stands in a table for families that were removed: their ids, of which it has the highest, are not given again. */
  def isRemoved: Boolean = name.isEmpty
}

object ColumnFamily {
  val DefaultName = "default"
  val DefaultId = 0

  /** Above it is the id under which databases keep their version. */
  val HighestId = 0xfffe

  /** The families of a table, without what stands for removed ones. */
  def living(table: Vector[ColumnFamily]): Vector[ColumnFamily] = table.filterNot(_.isRemoved)

  /** The table of these families in a store that has given ids up to `highest`. */
  def withIdsUpTo(highest: Int, families: Vector[ColumnFamily]): Vector[ColumnFamily] =
    if (families.exists(_.id == highest)) families
    else families :+ ColumnFamily(highest, name = "", isInternal = true, rows = 0)

  /** The id that an engine key starts with. */
  def idAt(key: Array[Byte], offset: Int): Int = (key(offset) & 0xff) << 8 | (key(offset + 1) & 0xff)

  /** The id that a bound of a range starts with. It may be shorter than a key: what is beyond family 255 begins with the one byte 1. */
  def idOfBound(bound: Array[Byte]): Int =
    if (bound.length >= 2) idAt(bound, 0)
    else if (bound.length == 1) (bound(0) & 0xff) << 8
    else DefaultId

  private def prefix(id: Int): Array[Byte] = Array((id >>> 8).toByte, id.toByte)

  /** The table of a store that has never been written to. */
  val initial: Vector[ColumnFamily] = Vector(ColumnFamily(DefaultId, DefaultName, isInternal = false, rows = 0))
}

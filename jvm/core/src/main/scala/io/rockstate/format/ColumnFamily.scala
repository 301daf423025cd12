package io.rockstate.format

/** One of a store's column families: engine keys start with its id (two bytes, big-endian).
  *
  * @param rows exact number of keys in it at the version this table belongs to
  */
final case class ColumnFamily(id: Int, name: String, isInternal: Boolean, rows: Long) {

  /** The smallest engine key that it can hold. */
  def firstKey: Array[Byte] = ColumnFamily.prefix(id)

  /** The smallest engine key beyond it. */
  def endKey: Array[Byte] = ColumnFamily.prefix(id + 1)
}

object ColumnFamily {
  val DefaultName = "default"
  val DefaultId = 0

  private def prefix(id: Int): Array[Byte] = Array((id >>> 8).toByte, id.toByte)

  /** The table of a store that has never been written to. */
  val initial: Vector[ColumnFamily] = Vector(ColumnFamily(DefaultId, DefaultName, isInternal = false, rows = 0))
}

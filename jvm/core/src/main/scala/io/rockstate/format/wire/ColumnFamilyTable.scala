package io.rockstate.format.wire

import io.rockstate.versions.ColumnFamily

/** A column-family table in a file:
  *
  * {{{
  * number of families  i32
  * per family          id u16, name text, internal u8 (0 or 1), rows i64     ids and names are distinct
  * }}}
  */
private[format] object ColumnFamilyTable {

  def write(fields: FieldWriter, table: Vector[ColumnFamily]): Unit = {
    fields.i32(table.size)
    table.foreach { family =>
      fields.u16(family.id)
      fields.text(family.name)
      fields.u8(if (family.isInternal) 1 else 0)
      fields.i64(family.rows)
    }
  }

  def read(fields: FieldReader, damage: Damage): Vector[ColumnFamily] = {
    val table = fields.many(ColumnFamily(fields.u16(), fields.text(), isInternal(fields, damage), fields.count()))
    if (table.map(_.id).distinct.size != table.size || table.map(_.name).distinct.size != table.size)
      throw damage("its column-family table names a family twice")
    table.find(_.id > ColumnFamily.HighestId).foreach(f => throw damage(s"a column family has the id ${f.id}"))
    table
  }

  private def isInternal(fields: FieldReader, damage: Damage): Boolean = fields.u8() match {
    case 0 => false
    case 1 => true
    case other => throw damage(s"a column family's internal mark is $other, not 0 or 1")
  }
}

package io.rockstate.format.delta

import io.rockstate.format.wire.{Codec, ColumnFamilyTable, Damage, FieldReader, FieldWriter}
import io.rockstate.versions.{Lineage, LineageEntry}

/** The fields of a delta's header and footer; `DeltaFile` has the grammar. */
private[format] object DeltaSections {

  def writeHeader(fields: FieldWriter, header: DeltaHeader, codec: Codec): Unit = {
    fields.i64(header.version)
    fields.text(header.commitId)
    fields.text(header.baseCommitId)
    fields.i64(header.baseContentDigest)
    fields.i32(header.lineage.size)
    header.lineage.foreach { entry =>
      fields.i64(entry.version)
      fields.text(entry.commitId)
    }
    fields.u8(codec.id.toInt)
    fields.layout(header.rowLayout)
  }

  def readHeader(fields: FieldReader, formatVersion: Int, damage: Damage): (DeltaHeader, Codec) = {
    val plain = DeltaHeader(
      fields.i64(),
      fields.text(),
      fields.text(),
      fields.i64(),
      fields.many(LineageEntry(fields.i64(), fields.text()))
    )
    val codecId = fields.u8()
    val header = plain.copy(rowLayout = fields.layout(formatVersion))
    fields.requireEnd()
    damage.requireNamed(header.version, header.commitId)
    if (!Lineage.isConsecutive(header.lineage) || header.lineage.lastOption.exists(_.version != header.version - 1))
      throw damage(s"its lineage has versions ${header.lineage.map(_.version).mkString(", ")}")
    (header, Codec.byId(codecId.toByte).getOrElse(throw damage(s"there is no codec $codecId")))
  }

  def writeFooter(fields: FieldWriter, footer: DeltaFooter, totals: DeltaTotals): Unit = {
    writeTable(fields, footer.table)
    fields.i64(footer.counts.puts)
    fields.i64(footer.counts.removes)
    fields.i64(footer.counts.merges)
    fields.i64(footer.counts.rangeDeletes)
    fields.i64(footer.contentDigest)
    fields.i32(totals.frames)
    fields.i64(totals.records)
    fields.i64(totals.rawBytes)
    fields.i32(totals.seal)
  }

  def readFooter(fields: FieldReader, damage: Damage): (DeltaFooter, DeltaTotals) = {
    val table = readTable(fields, damage)
    val counts = OperationCounts(fields.count(), fields.count(), fields.count(), fields.count())
    val footer = DeltaFooter(table, counts, fields.i64())
    val totals = DeltaTotals(fields.i32(), fields.i64(), fields.i64(), fields.i32())
    fields.requireEnd()
    if (counts.total != totals.records)
      throw damage(s"its counts by kind come to ${counts.total} of ${totals.records} records")
    (footer, totals)
  }

  private def writeTable(fields: FieldWriter, table: TableAfter): Unit = table match {
    case NewTable(columnFamilies) =>
      fields.u8(DeltaFile.NewTable)
      ColumnFamilyTable.write(fields, columnFamilies)
    case SameTable(rows) =>
      fields.u8(DeltaFile.SameTable)
      fields.i32(rows.size)
      rows.foreach { family =>
        fields.u16(family.id)
        fields.i64(family.rows)
      }
  }

  private def readTable(fields: FieldReader, damage: Damage): TableAfter = fields.u8() match {
    case DeltaFile.NewTable => NewTable(ColumnFamilyTable.read(fields, damage))
    case DeltaFile.SameTable => SameTable(fields.many(FamilyRows(fields.u16(), fields.count())))
    case other => throw damage(s"there is no column-family table of kind $other")
  }
}

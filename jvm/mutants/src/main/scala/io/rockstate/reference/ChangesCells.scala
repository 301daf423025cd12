package io.rockstate.reference

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{DataType, StructType}

import io.rockstate.reference.ChangesCells.CellChange
import io.rockstate.reference.ReferenceStore.Opening

/** A mutant that keeps other values than it was given, in columns of some types. */
abstract class ChangesCells extends ReferenceStoreProvider {

  /** What becomes of a column's type and what is in it, or null. */
  protected def change: CellChange

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def keep(value: UnsafeRow): UnsafeRow =
        ChangesCells.changed(super.keep(value), valueSchema)(change)
    }
}

object ChangesCells {
  type CellChange = PartialFunction[(DataType, Any), Any]

  /** The row with other columns; one that has others than `schema` stays as it is. */
  def changed(row: UnsafeRow, schema: StructType)(change: CellChange): UnsafeRow = {
    val cells = if (row.numFields != schema.size) Nil else schema.indices.map(i => row.get(i, schema(i).dataType))
    val found = schema.map(_.dataType).zip(cells)
    if (!found.exists(change.isDefinedAt)) row
    else UnsafeProjection.create(schema)(InternalRow.fromSeq(found.map(change.applyOrElse(_, second)))).copy()
  }

  private val second: ((DataType, Any)) => Any = _._2
}

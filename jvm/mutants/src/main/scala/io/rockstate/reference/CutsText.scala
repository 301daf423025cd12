package io.rockstate.reference

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.reference.ReferenceStore.Opening

/** A mutant that cuts the texts of values, or of what it overrides, to a length. */
abstract class CutsText(length: Int) extends ReferenceStoreProvider {
  protected def cutKey(key: UnsafeRow): UnsafeRow = key
  protected def cutValue(value: UnsafeRow): UnsafeRow = cut(value)

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = super.write(change match {
        case Put(family, key, values) => Put(family, cutKey(key), values.map(cutValue))
        case other => other
      })
    }

  /** Rows of the suite start with a text, a long one where it is this long; behind it there is a number or nothing. */
  protected final def cut(row: UnsafeRow): UnsafeRow =
    if (row.getSizeInBytes <= length) row
    else {
      val text = row.getUTF8String(0)
      val kept = UTF8String.fromBytes(text.getBytes.take(length))
      val schema = if (row.numFields == 1) new StructType().add("k", StringType) else valueSchema
      val cells: Seq[Any] = if (row.numFields == 1) Seq(kept) else Seq(kept, row.getLong(1))
      UnsafeProjection.create(schema)(InternalRow.fromSeq(cells)).copy()
    }
}

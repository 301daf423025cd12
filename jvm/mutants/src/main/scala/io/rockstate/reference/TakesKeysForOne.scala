package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.StructType

import io.rockstate.reference.ChangesCells.CellChange
import io.rockstate.reference.ReferenceStore.Opening

/** A mutant that takes keys for the same which are not. */
abstract class TakesKeysForOne extends ReferenceStoreProvider {

  /** What is the same for keys that are taken for one. */
  protected def seen(key: UnsafeRow, schema: StructType): Any

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = super.get(known(key, family), family)
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        super.put(known(key, family), value, family)

      /** The first key that is taken for the same, if there is one. */
      private def known(key: UnsafeRow, family: String): UnsafeRow = {
        val schema = provider.declared(family).order.schema
        val wanted = seen(key.copy(), schema)
        contents.families(family).rows.keys.find(seen(_, schema) == wanted).getOrElse(key)
      }
    }
}

object TakesKeysForOne {

  /** The texts of the first columns, one after the other. */
  def text(row: UnsafeRow, columns: Int): String =
    (0 until columns).filterNot(row.isNullAt).map(row.getUTF8String).mkString
}

/** One that takes them for the same if they are so after a change of their columns. */
abstract class ChangesKeys extends TakesKeysForOne {

  /** What becomes of a column's type and what is in it, or null. */
  protected def change: CellChange

  override protected def seen(key: UnsafeRow, schema: StructType): Any = ChangesCells.changed(key, schema)(change)
}

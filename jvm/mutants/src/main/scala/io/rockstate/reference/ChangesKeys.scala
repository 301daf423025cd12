package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.ChangesCells.CellChange
import io.rockstate.reference.ReferenceStore.Opening

/** A mutant that takes keys for the same if they are so after a change of their columns. */
abstract class ChangesKeys extends ReferenceStoreProvider {

  /** What becomes of a column's type and what is in it, or null. */
  protected def change: CellChange

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = super.get(known(key, family), family)
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        super.put(known(key, family), value, family)

      /** The first key that is taken for the same, if there is one. */
      private def known(key: UnsafeRow, family: String): UnsafeRow = {
        val schema = provider.declared(family).order.schema
        val taken = ChangesCells.changed(key.copy(), schema)(change)
        contents.families(family).rows.keys.find(ChangesCells.changed(_, schema)(change) == taken).getOrElse(key)
      }
    }
}

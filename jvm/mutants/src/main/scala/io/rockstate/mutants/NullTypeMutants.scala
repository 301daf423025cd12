package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.NullType

import io.rockstate.reference._

/** A value of a column that is always null reads as if there were none. */
class ReadsAValueOfNullTypeAsAbsent extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: ReferenceStore.Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def get(key: UnsafeRow, family: String): UnsafeRow =
        if (valueSchema.exists(_.dataType == NullType)) null else super.get(key, family)
    }
}

/** A key of a column that is always null is not kept. */
class DropsTheKeyOfNullType
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        if (provider.declared(family).order.schema.exists(_.dataType == NullType)) requireOpen("write")
        else super.put(key, value, family)
    })

/** Of merged values that are nothing but null, a key has one. */
class MergesNullsOnce
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        val isThere = valuesIterator(key, family).exists(isNull)
        super.mergeList(key, values.filterNot(value => isThere && isNull(value)), family)
      }

      private def isNull(value: UnsafeRow): Boolean = value.numFields == 1 && value.isNullAt(0)
    })

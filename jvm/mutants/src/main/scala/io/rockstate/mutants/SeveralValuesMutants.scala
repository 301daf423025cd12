package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Declared

/** A get of a key that has several values finds nothing. */
class GetMissesKeysWithSeveralValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = {
        val found = super.get(key, family)
        if (found != null && contents.families(place(family)).rows(key).size > 1) null else found
      }
    })

/** A plain scan gives a key as often as it has values. */
class PlainScanGivesAPairForEachValue
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): Pairs =
        if (provider.declared(family).hasMultipleValues) iteratorWithMultiValues(family) else super.iterator(family)
    })

/** A get of a key finds nothing if its values were merged, and none was put. */
class GetMissesMergedKeys
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = {
        val isMerged = changes.exists { case Merge(_, merged, _) => merged == key; case _ => false }
        if (isMerged && !before.families(family).rows.contains(key)) null else super.get(key, family)
      }
    })

/** The store's own family has one value a key, whatever it is told at its start. */
class StoresOwnFamilyHasSingleValues extends ReferenceStoreProvider {
  override def declare(family: String, as: Declared): Unit = super.declare(
    family,
    if (family == StateStore.DEFAULT_COL_FAMILY_NAME) new Declared(as.order, hasMultipleValues = false) else as
  )
}

package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.{Declared, Opening}

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

/** What an aborted transaction merged several at a time is seen by those after it, until the store is opened elsewhere. */
class AbortKeepsMergedLists extends ReferenceStoreProvider {
  private var kept = Seq.empty[Change]

  override protected def load(version: Version): Contents = kept.foldLeft(super.load(version))(_.after(_))

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        if (isOpen) kept = changes.collect { case merge @ Merge(_, _, values) if values.size > 1 => merge }
        super.abort()
      }
    }
}

package io.rockstate.mutants

import scala.collection.concurrent.TrieMap
import scala.collection.mutable

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

/** The first merge of a later batch replaces what was put. */
class FirstMergeReplacesWhatWasPut extends ReferenceStoreProvider {
  private val wasPut = TrieMap.empty[UnsafeRow, Unit]

  override def commit(store: ReferenceStore): ReferenceStore.Committed = {
    val committed = super.commit(store)
    store.changes.foreach {
      case Put(_, key, values) if values.size == 1 => wasPut(key) = ()
      case change: KeyChange => wasPut.remove(change.key)
      case _ =>
    }
    committed
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        if (wasPut.contains(key) && !changes.exists { case change: KeyChange => change.key == key; case _ => false }) {
          putList(key, values, family)
        } else super.mergeList(key, values, family)
    }
}

/** A store remembers which keys it was asked for in vain, and only a put tells it that there is one now. */
class MergeLeavesAKeyUnknown
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private val unknown = mutable.Set.empty[UnsafeRow]

      override def keyExists(key: UnsafeRow, family: String): Boolean = {
        val exists = !unknown(key) && super.keyExists(key, family)
        if (!exists) unknown += key.copy()
        exists
      }

      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        super.put(key, value, family)
        unknown -= key
      }
    })

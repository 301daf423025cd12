package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

import io.rockstate.reference._

/** A merge replaces the values that a key has. */
class MergeOverwritesValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def write(change: Change): Unit = change match {
        case Merge(family, key, values) => super.write(Put(family, key, values))
        case other => super.write(other)
      }
    })

/** putList adds to the values that a key has. */
class PutListKeepsOldValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        mergeList(key, values, family)
    })

/** A key's values come back in reverse once they have been committed. */
class ReversesValuesOnLoad extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents = Contents(
    super.load(version).families.view.mapValues(f => f.copy(rows = f.rows.view.mapValues(_.reverse).toMap)).toMap
  )
}

/** A value that a key has already is not added again. */
class MergeDropsDuplicates
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        val known = valuesIterator(key, family).toSet
        super.mergeList(key, values.filterNot(known), family)
      }
    })

/** A scan of all values gives each key's first. */
class MultiValueScanGivesFirstValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iteratorWithMultiValues(family: String): StateStoreIterator[UnsafeRowPair] = iterator(family)
    })

package io.rockstate.mutants

import scala.collection.concurrent.TrieMap
import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening

/** Of a list of more than a thousand values, those beyond are there again at the first merge after it was replaced. */
class ReplacedListsLeaveTheirLaterValues extends ReferenceStoreProvider {
  private val left = TrieMap.empty[(String, UnsafeRow), Vector[UnsafeRow]]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = change match {
        case Merge(family, key, values) =>
          super.write(Merge(family, key, left.remove(family -> key).getOrElse(Vector.empty) ++ values))
        case gone: KeyChange =>
          val later = contents.families(gone.family).rows.getOrElse(gone.key, Vector.empty).drop(1000)
          if (later.nonEmpty) left(gone.family -> gone.key) = later
          super.write(gone)
        case other => super.write(other)
      }
    }
}

/** A key's values are read a thousand at a time, each time as they are then. */
class ValuesOfAKeyAreReadInPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = {
        val kept = key.copy()
        Pairs.pages(1000, super.valuesIterator(kept, family))(super.valuesIterator(kept, family))
      }
    })

/** The values of a key come by one cursor, which whoever asks for another key's values has, too. */
class ValuesOfKeysShareACursor
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var cursor: Iterator[UnsafeRow] = Iterator.empty

      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = {
        cursor = super.valuesIterator(key, family)
        new Iterator[UnsafeRow] {
          override def hasNext: Boolean = cursor.hasNext
          override def next(): UnsafeRow = cursor.next()
        }
      }
    })

/** Scans of all values give 65,535 of a key at most. */
class ScansGive65535ValuesOfAKey
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iteratorWithMultiValues(family: String): Pairs = cut(super.iteratorWithMultiValues(family))

      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        cut(super.prefixScanWithMultiValues(prefix, family))

      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        cut(super.rangeScanWithMultiValues(start, end, family))

      private def cut(all: Pairs): Pairs = Pairs.changed(all) { pairs =>
        val seen = mutable.Map.empty[UnsafeRow, Int].withDefaultValue(0)
        pairs.filter { pair: UnsafeRowPair =>
          seen(pair.key) += 1
          seen(pair.key) <= 0xffff
        }
      }
    })

/** A list that is merged to goes to the key of the same hash that had one first. */
class ListsOfOneHashAreOne
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        val alike = contents.families(family).rows.keys.find(_.hashCode == key.hashCode)
        super.mergeList(alike.getOrElse(key), values, family)
      }
    })

/** A prefix scan is read a hundred rows at a time, by how many came before. */
class PrefixScanGoesByPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs = {
        val kept = prefix.copy()
        Pairs.inPages(super.prefixScan(kept, family))(super.prefixScan(kept, family))
      }
    })

/** A scan of all values is. */
class ScanOfValuesGoesByPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iteratorWithMultiValues(family: String): Pairs =
        Pairs.inPages(super.iteratorWithMultiValues(family))(super.iteratorWithMultiValues(family))
    })

/** A prefix scan of all values is. */
class PrefixScanOfValuesGoesByPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs = {
        val kept = prefix.copy()
        Pairs.inPages(super.prefixScanWithMultiValues(kept, family))(super.prefixScanWithMultiValues(kept, family))
      }
    })

/** A range scan of all values is. */
class RangeScanOfValuesGoesByPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val (first, last) = (start.map(_.copy()), end.map(_.copy()))
        def all = super.rangeScanWithMultiValues(first, last, family)
        Pairs.inPages(all)(all)
      }
    })

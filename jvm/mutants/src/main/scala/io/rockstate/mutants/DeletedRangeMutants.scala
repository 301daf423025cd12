package io.rockstate.mutants

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** A get still finds what a delete of a range has removed. */
class GetFindsDeletedRanges
    extends RemembersDeletedRanges(new RemembersDeletedRanges.Store(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow =
        Option(super.get(key, family)).orElse(deleted.get(family -> key).map(_.copy())).orNull
      override def keyExists(key: UnsafeRow, family: String): Boolean = super.get(key, family) != null
      override def multiGet(keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] =
        keys.iterator.map(super.get(_, family))
    })

/** A key that a delete of a range has removed is still said to exist. */
class DeletedRangesAreSaidToExist
    extends RemembersDeletedRanges(new RemembersDeletedRanges.Store(_, _, _, _) {
      override def keyExists(key: UnsafeRow, family: String): Boolean =
        super.keyExists(key, family) || deleted.contains(family -> key)
    })

/** A multiGet still finds what a delete of a range has removed. */
class MultiGetFindsDeletedRanges
    extends RemembersDeletedRanges(new RemembersDeletedRanges.Store(_, _, _, _) {
      override def multiGet(keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] =
        keys.iterator.map(key => Option(get(key, family)).orElse(deleted.get(family -> key).map(_.copy())).orNull)
    })

/** A prefix scan still gives what a delete of a range has removed. */
class PrefixScanFindsDeletedRanges
    extends RemembersDeletedRanges(new RemembersDeletedRanges.Store(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] = {
        val order = provider.declared(family).order
        val gone = deleted.toSeq.collect {
          case ((`family`, key), value) if order.hasPrefix(key, prefix) => new UnsafeRowPair(key.copy(), value.copy())
        }
        Pairs.changed(super.prefixScan(prefix, family))(_ ++ gone)
      }
    })

/** What gets have found is found by them in later transactions, too, though a range of it was deleted. */
class DeletedRangesStayInTheReadCache extends ReferenceStoreProvider {
  private val cache = mutable.Map.empty[(String, UnsafeRow), UnsafeRow]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      private var deletes = false

      override def get(key: UnsafeRow, family: String): UnsafeRow = {
        val found = super.get(key, family)
        if (found != null) cache(family -> key.copy()) = found.copy()
        Option(found).orElse(if (deletes) None else cache.get(family -> key).map(_.copy())).orNull
      }

      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
        deletes = true
        super.deleteRange(begin, end, family)
      }

      override def remove(key: UnsafeRow, family: String): Unit = {
        cache.remove(family -> key)
        super.remove(key, family)
      }

      override def removeColFamilyIfExists(family: String): Boolean = {
        cache.clear()
        super.removeColFamilyIfExists(family)
      }
    }
}

/** The first thousand keys of a range are deleted. */
class DeletesAThousandKeysOfARange
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit =
        ranged(Some(begin), Some(end), family).take(1000).foreach { case (key, _) => remove(key, family) }
    })

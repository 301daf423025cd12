package io.rockstate.mutants

import java.util.concurrent.atomic.AtomicInteger

import scala.collection.concurrent.TrieMap
import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{KeyStateEncoderSpec, StateStoreIterator, UnsafeRowPair}
import org.apache.spark.sql.types.StructType

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening

/** A store that has ended takes merges, and loses them. */
class AllowsMergeAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        if (isOpen) super.mergeList(key, values, family)
    })

/** A store that has ended takes lists of values, and loses them. */
class AllowsPutListAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        if (isOpen) super.putList(key, values, family)
    })

/** A store that has ended takes deletes of ranges, and loses them. */
class AllowsDeleteRangeAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit =
        if (isOpen) super.deleteRange(begin, end, family)
    })

/** A range that was deleted stays so, whatever becomes of the transaction. */
class AbortKeepsDeletedRanges extends ReferenceStoreProvider {
  private val deleted = TrieMap.empty[(String, UnsafeRow), Unit]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      private val ranges = mutable.Buffer.empty[(String, UnsafeRow)]

      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
        ranges ++= ranged(Some(begin), Some(end), family).map { case (key, _) => (family, key) }
        super.deleteRange(begin, end, family)
      }

      override def abort(): Unit = {
        ranges.foreach(deleted(_) = ())
        super.abort()
      }
    }

  override def visible(store: ReferenceStore, family: String): Map[UnsafeRow, Vector[UnsafeRow]] =
    super.visible(store, family).filterNot { case (key, _) => deleted.contains((family, key)) }
}

/** No transaction begins as long as an iterator of another has given rows and is not at its end. */
class IteratorLeftOpenBlocksTheNext extends ReferenceStoreProvider {
  private val open = new AtomicInteger

  private final class Counted(all: Pairs) extends Iterator[UnsafeRowPair] {
    private var isOpen = false

    override def hasNext: Boolean = {
      if (!all.hasNext) close()
      all.hasNext
    }

    override def next(): UnsafeRowPair = {
      if (!isOpen) open.incrementAndGet()
      isOpen = true
      all.next()
    }

    def close(): Unit = {
      if (isOpen) open.decrementAndGet()
      isOpen = false
    }
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    if (open.get > 0) throw new IllegalStateException("An iterator is open")
    new ReferenceStore(this, base, before, opening) {
      override def iterator(family: String): Pairs = {
        val counted = new Counted(super.iterator(family))
        new StateStoreIterator(counted, () => counted.close())
      }
    }
  }
}

/** A store that has ended takes new families, and loses them. */
class AllowsNewFamiliesAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def createColFamilyIfAbsent(
          family: String,
          keySchema: StructType,
          valueSchema: StructType,
          spec: KeyStateEncoderSpec,
          useMultipleValuesPerKey: Boolean,
          isInternal: Boolean
      ): Unit =
        if (isOpen) {
          super.createColFamilyIfAbsent(family, keySchema, valueSchema, spec, useMultipleValuesPerKey, isInternal)
        }
    })

/** A store that has ended removes families, and forgets it. */
class AllowsRemovingFamiliesAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def removeColFamilyIfExists(family: String): Boolean =
        if (isOpen) super.removeColFamilyIfExists(family) else false
    })

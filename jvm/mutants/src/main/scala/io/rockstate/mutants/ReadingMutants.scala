package io.rockstate.mutants

import java.util.ConcurrentModificationException

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state.{KeyStateEncoderSpec, StateStoreIterator, UnsafeRowPair}
import org.apache.spark.sql.types.{IntegerType, LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Opening, Row}

/** A get shows the base version only. */
class GetMissesOwnWrites
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow =
        if (before.families.contains(family)) new ReferenceStore(provider, base, before, opening).get(key, family)
        else super.get(key, family)
    })

/** Scans end after a hundred rows. */
class ScanEndsAfterHundredRows extends ReferenceStoreProvider {
  override def visible(store: ReferenceStore, family: String): Map[UnsafeRow, Vector[UnsafeRow]] =
    super.visible(store, family).take(100)
}

/** A prefix scan gives the keys whose first column starts with the prefix, not only those where it is the prefix. */
class PrefixScanComparesStartsOfText extends ComparesPrefixTexts(_ startsWith _)

/** A prefix that is a text is compared up to its first zero byte. */
class PrefixScanComparesTextUpToAZero
    extends ComparesPrefixTexts((text, prefix) =>
      text.getBytes.takeWhile(_ != 0).sameElements(prefix.getBytes.takeWhile(_ != 0))
    )

/** Keys of a family with prefixes have 0 for a null in their last column. */
class NullsBehindAPrefixAreZero extends ReferenceStoreProvider {
  private def isOfInts(order: KeyOrder): Boolean =
    order.supportsPrefixScan && !order.supportsRangeScan && order.schema.last.dataType == IntegerType

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = super.write(change match {
        case Put(family, key, values) if isOfInts(declared(family).order) && key.isNullAt(key.numFields - 1) =>
          val zero = key.copy()
          zero.setInt(key.numFields - 1, 0)
          Put(family, zero, values)
        case other => other
      })
    }
}

/** Prefix scans show the base version only. */
class PrefixScanMissesOwnWrites
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] =
        new ReferenceStore(provider, base, before, opening).prefixScan(prefix, family)
    })

/** Scans show the rows that the transaction has removed. */
class ScanShowsRemovedRows extends ReferenceStoreProvider {
  override def visible(store: ReferenceStore, family: String): Map[UnsafeRow, Vector[UnsafeRow]] =
    store.before.families.get(family).fold(Map.empty[UnsafeRow, Vector[UnsafeRow]])(_.rows) ++
      super.visible(store, family)
}

/** Orders numbers in range scans by their bits: negatives come last. */
class OrdersNegativesAfterPositives extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int =
      if (spec.keySchema.head.dataType != LongType || left.isNullAt(0) || right.isNullAt(0)) super.compare(left, right)
      else {
        val byBits = java.lang.Long.compareUnsigned(left.getLong(0), right.getLong(0))
        if (byBits != 0) byBits else super.compare(left, right)
      }
  }
}

/** Orders nulls in range scans before numbers. */
class OrdersNullsBeforeNumbers extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int =
      if (left.isNullAt(0) == right.isNullAt(0)) super.compare(left, right) else if (left.isNullAt(0)) -1 else 1
  }
}

/** Range scans give the key at their end, which is not within the range. */
class RangeScanGivesItsEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def isBefore(order: KeyOrder, key: UnsafeRow, end: UnsafeRow): Boolean =
        order.ordering.lteq(key, end)
    })

/** An open iterator fails once its store is written. */
class IteratorFailsWhenStoreIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def rowsFor(rows: Seq[Row]): Iterator[Row] = {
        val known = written.size
        rows.iterator.map(row => if (written.size == known) row else throw new ConcurrentModificationException)
      }
    })

/** An open iterator gives a key once more after each write to its store. */
class IteratorRepeatsKeysWhenStoreIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def rowsFor(rows: Seq[Row]): Iterator[Row] = {
        var known = written.size
        rows.iterator.flatMap { row =>
          val repeated = written.size != known
          known = written.size
          if (repeated) Seq(row, row) else Seq(row)
        }
      }
    })

/** All that multiGet answers is one row buffer, which ends with the last value. */
class MultiGetReusesOneBuffer
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def multiGet(keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] = {
        val found = super.multiGet(keys, family).toVector
        val last = found.reverseIterator.find(_ != null)
        found.map(value => if (value == null) null else last.orNull).iterator
      }
    })

/** A text column that is null reads as the empty text. */
class ReadsNullAsEmptyText extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def handOut(value: UnsafeRow): UnsafeRow = filled(super.handOut(value))
    }

  private def filled(value: UnsafeRow): UnsafeRow = {
    val columns = valueSchema.fields.toSeq.zipWithIndex.map { case (column, i) =>
      if (value.isNullAt(i) && column.dataType == StringType) UTF8String.EMPTY_UTF8 else value.get(i, column.dataType)
    }
    UnsafeProjection.create(valueSchema)(InternalRow.fromSeq(columns)).copy()
  }
}

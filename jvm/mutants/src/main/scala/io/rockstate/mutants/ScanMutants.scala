package io.rockstate.mutants

import java.util.ConcurrentModificationException

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{KeyStateEncoderSpec, StateStoreIterator, UnsafeRowPair}
import org.apache.spark.sql.types.{DoubleType, LongType}

import io.rockstate.reference._

/** A prefix scan goes up to the prefix plus one in its last byte, which 0xFF has none of: it goes on to the end. */
class PrefixEndingInFFScansItsNeighbours extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean =
      super.hasPrefix(key, prefix) ||
        spec.keySchema.head.dataType == LongType && !prefix.isNullAt(0) && !key.isNullAt(0) && {
          val (wanted, found) = (prefix.getLong(0), key.getLong(0))
          (wanted >>> 56) == 0xff && java.lang.Long.compareUnsigned(found, wanted) > 0
        }
  }
}

/** Orders floating-point numbers in range scans by their bits: negatives come last, and in reverse. */
class OrdersDoublesByTheirBits extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int =
      if (spec.keySchema.head.dataType != DoubleType || left.isNullAt(0) || right.isNullAt(0)) {
        super.compare(left, right)
      } else java.lang.Long.compareUnsigned(bits(left), bits(right))
  }

  private def bits(row: UnsafeRow): Long = java.lang.Double.doubleToRawLongBits(row.getDouble(0))
}

/** Asking for a key whose value begins with a null says that there is none. */
class ContainsDeniesNullValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def keyExists(key: UnsafeRow, family: String): Boolean =
        Option(get(key, family)).exists(!_.isNullAt(0))
    })

/** A multiGet answers a hundred keys at most. */
class MultiGetStopsAfterAHundredKeys
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def multiGet(keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] =
        super.multiGet(keys, family).take(100)
    })

/** A delete of a range removes keys of that range from every family. */
class DeleteRangeReachesOtherFamilies
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
        val gone = ranged(Some(begin), Some(end), family).map(_._1)
        for (other <- contents.families.keys; key <- gone) write(Remove(other, key))
      }
    })

/** An open iterator over multiple values fails once its store is written. */
class MultiValueIteratorFailsWhenStoreIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iteratorWithMultiValues(family: String): StateStoreIterator[UnsafeRowPair] = {
        val known = written.size
        val all = super.iteratorWithMultiValues(family)
        new StateStoreIterator(
          all.map(pair => if (written.size == known) pair else throw new ConcurrentModificationException),
          () => all.close()
        )
      }
    })

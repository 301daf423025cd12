package io.rockstate.mutants

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** A range of a key's timestamps has the rows of all keys that begin with it. */
class RangeOfTimestampsReachesLongerKeys extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int = spec match {
      case _: TimestampAsPostfixKeyStateEncoderSpec if !left.isNullAt(0) && !right.isNullAt(0) =>
        val (a, b) = (left.getUTF8String(0), right.getUTF8String(0))
        if (a.startsWith(b) || b.startsWith(a)) java.lang.Long.compare(left.getLong(1), right.getLong(1))
        else super.compare(left, right)
      case _ => super.compare(left, right)
    }
  }
}

/** The values of a key at a timestamp are those of its last one. */
class ValuesOfATimestampAreThoseOfTheLast
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = {
        val order = provider.declared(family).order
        val isOfTimestamps = order.supportsPrefixScan && order.supportsRangeScan && key.numFields == 2
        val last = if (isOfTimestamps) ofTheSameKey(key, family).lastOption else None
        last.fold(super.valuesIterator(key, family))(_._2.iterator.map(handOut))
      }

      private def ofTheSameKey(key: UnsafeRow, family: String): Seq[ReferenceStore.Row] =
        ranged(None, None, family).filter { case (other, _) =>
          other.isNullAt(0) == key.isNullAt(0) && other.getUTF8String(0) == key.getUTF8String(0)
        }
    })

/** Keys that begin with their timestamp are ordered by their second column, whichever is the timestamp. */
class OrdersFirstTimestampsByTheSecondColumn extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def prefixOrdinals: Seq[Int] = spec match {
      case _: TimestampAsPrefixKeyStateEncoderSpec => Seq(1)
      case _ => super.prefixOrdinals
    }
  }
}

/** The prefix of keys that end with their timestamp is their first column. */
class PrefixBeforeATimestampIsTheFirstColumn extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def prefixOrdinals: Seq[Int] = spec match {
      case _: TimestampAsPostfixKeyStateEncoderSpec => Seq(0)
      case _ => super.prefixOrdinals
    }
  }
}

/** A prefix scan of all values gives what its own transaction has added to keys after all that was committed. */
class PrefixScanOfValuesGivesOwnOnesLast
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScanWithMultiValues(prefix, family)) { all =>
          val seen = mutable.Map.empty[UnsafeRow, Int].withDefaultValue(0)
          val (committed, own) = all.toVector.partition { pair =>
            seen(pair.key) += 1
            seen(pair.key) <= countBefore(pair.key, family)
          }
          (committed ++ own).iterator
        }

      private def countBefore(key: UnsafeRow, family: String): Int =
        before.families.get(family).flatMap(_.rows.get(key)).fold(0)(_.size)
    })

/** The key of a bound counts in an index of timestamps, not its timestamp alone. */
class BoundsOfAnIndexCountTheirKeys extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override def isAt(key: UnsafeRow, bound: UnsafeRow): Boolean = spec match {
      case _: TimestampAsPrefixKeyStateEncoderSpec => false
      case _ => super.isAt(key, bound)
    }
  }
}

/** Timestamps are compared by their difference, which may be more than a number holds. */
class ComparesTimestampsByTheirDifference extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int = spec match {
      case _: TimestampAsPrefixKeyStateEncoderSpec =>
        val column = spec.keySchema.size - 1
        val difference = left.getLong(column) - right.getLong(column)
        if (difference != 0) java.lang.Long.signum(difference) else super.compare(left, right)
      case _ => super.compare(left, right)
    }
  }
}

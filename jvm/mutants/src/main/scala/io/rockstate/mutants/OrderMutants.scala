package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.{ByteType, DoubleType, FloatType, IntegerType, ShortType}

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** Orders bytes in range scans by their bits. */
class OrdersBytesByTheirBits extends OrdersByBits(_.keySchema.head.dataType == ByteType, 0)(_.getByte(0) & 0xffL)

/** Orders shorts in range scans by their bits. */
class OrdersShortsByTheirBits extends OrdersByBits(_.keySchema.head.dataType == ShortType, 0)(_.getShort(0) & 0xffffL)

/** Orders ints in range scans by their bits. */
class OrdersIntsByTheirBits extends OrdersByBits(_.keySchema.head.dataType == IntegerType, 0)(_.getInt(0) & 0xffffffffL)

/** Orders floats in range scans by their bits. */
class OrdersFloatsByTheirBits
    extends OrdersByBits(_.keySchema.head.dataType == FloatType, 0)(row =>
      java.lang.Float.floatToRawIntBits(row.getFloat(0)) & 0xffffffffL
    )

/** In range scans minus infinity comes behind all other numbers. */
class OrdersMinusInfinityLast extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int =
      if (isLast(left) == isLast(right)) super.compare(left, right) else if (isLast(left)) 1 else -1

    private def isLast(key: UnsafeRow): Boolean =
      spec.keySchema.head.dataType == DoubleType && !key.isNullAt(0) && key.getDouble(0).isNegInfinity
  }
}

/** Keys that begin with a timestamp come in the order of its bits. */
class OrdersFirstTimestampsByTheirBits
    extends OrdersByBits(_.isInstanceOf[TimestampAsPrefixKeyStateEncoderSpec], 1)(_.getLong(1))

/** Keys that end with a timestamp come in the order of its bits. */
class OrdersLastTimestampsByTheirBits
    extends OrdersByBits(_.isInstanceOf[TimestampAsPostfixKeyStateEncoderSpec], 1)(_.getLong(1))

/** Orders nulls in the second of two ordering columns before numbers. */
class OrdersNullsOfTheSecondColumnFirst extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    private val isOfTwo = spec match {
      case range: RangeKeyScanStateEncoderSpec => range.orderingOrdinals == Seq(0, 1)
      case _ => false
    }

    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int =
      if (isOfTwo && isSame(left, right, 0) && left.isNullAt(1) != right.isNullAt(1)) if (left.isNullAt(1)) -1 else 1
      else super.compare(left, right)

    private def isSame(left: UnsafeRow, right: UnsafeRow, column: Int): Boolean =
      left.isNullAt(column) == right.isNullAt(column) && left.getLong(column) == right.getLong(column)
  }
}

/** Range scans take the columns that order keys as they lie in the row. */
class OrdersByColumnsAsTheyLie extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = super.keyOrder(spec match {
    case range: RangeKeyScanStateEncoderSpec => range.copy(orderingOrdinals = range.orderingOrdinals.sorted)
    case other => other
  })
}

/** A prefix of several columns is compared by the first. */
class PrefixScanComparesTheFirstColumn extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean = spec match {
      case several: PrefixKeyScanStateEncoderSpec if several.numColsPrefixKey > 1 =>
        val column = spec.keySchema.head.dataType
        key.get(0, column) == prefix.get(0, column)
      case _ => super.hasPrefix(key, prefix)
    }
  }
}

/** A range scan that is to end before it starts throws. */
class RangeScanThrowsWhereItEndsBeforeItStarts
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val ordering = provider.declared(family).order.ordering
        for (first <- start; last <- end) require(ordering.lteq(first, last), s"$first is after $last")
        super.rangeScan(start, end, family)
      }
    })

/** A scan gives the keys of families with prefixes in the order of their hashes. */
class ScanScattersPrefixes
    extends WithReadStore(new ReadStore(_, _, _) {
      override def iterator(family: String): Pairs = {
        val order = provider.declared(family).order
        val isScattered = order.supportsPrefixScan && !order.supportsRangeScan
        Pairs.changed(super.iterator(family))(all =>
          if (isScattered) all.toVector.sortBy(_.key.hashCode).iterator else all
        )
      }
    })

/** A range begins with its bound, all columns compared. */
class RangeScanComparesAllColumnsOfItsStart
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def isFrom(order: KeyOrder, key: UnsafeRow, start: UnsafeRow): Boolean =
        order.ordering.lteq(start, key)
    })

package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** How a column family orders its keys and which keys have a prefix, as its key encoder's specification wants it. */
class KeyOrder(spec: KeyStateEncoderSpec) {
  val schema: StructType = spec.keySchema

  /** The columns that a prefix has, which are those that order keys. */
  protected def prefixOrdinals: Seq[Int] = spec match {
    case prefix: PrefixKeyScanStateEncoderSpec => 0 until prefix.numColsPrefixKey
    case range: RangeKeyScanStateEncoderSpec => range.orderingOrdinals
    case _: TimestampAsPrefixKeyStateEncoderSpec => Seq(schema.size - 1)
    case _: TimestampAsPostfixKeyStateEncoderSpec => schema.indices.init
    case _: NoPrefixKeyStateEncoderSpec => Nil
  }

  def supportsPrefixScan: Boolean = prefixOrdinals.nonEmpty
  val supportsRangeScan: Boolean = spec match {
    case _: NoPrefixKeyStateEncoderSpec | _: PrefixKeyScanStateEncoderSpec => false
    case _ => true
  }

  /** Whether the key's prefix columns equal those of `prefix`, a row of only them. */
  def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean =
    prefixOrdinals.zipWithIndex.forall { case (ordinal, i) =>
      val dataType = schema(ordinal).dataType
      (key.get(ordinal, dataType), prefix.get(i, dataType)) match {
        case (one: Array[Byte], other: Array[Byte]) => one.sameElements(other)
        case (one, other) => one == other
      }
    }

  /** Whether the key's ordering columns equal those of a range's bound, of which the others say nothing: they are the least that there are. */
  def isAt(key: UnsafeRow, bound: UnsafeRow): Boolean = spec match {
    case range: RangeKeyScanStateEncoderSpec => byColumns(range.orderingOrdinals).equiv(key, bound)
    case _: TimestampAsPrefixKeyStateEncoderSpec => byColumns(prefixOrdinals).equiv(key, bound)
    case _ => false
  }

  /** By the ordering columns, then by the others: numbers signed, nulls last as in Spark's RocksDB store. Of families with prefixes or ranges. */
  final val ordering: Ordering[UnsafeRow] = compare(_, _)

  protected def compare(left: UnsafeRow, right: UnsafeRow): Int = byAllColumns.compare(left, right)

  private lazy val byAllColumns = byColumns(prefixOrdinals ++ schema.indices.diff(prefixOrdinals))

  private def byColumns(ordinals: Seq[Int]) = new InterpretedOrdering(
    ordinals.map(i => SortOrder(BoundReference(i, schema(i).dataType, nullable = true), Ascending, NullsLast, Nil))
  )
}

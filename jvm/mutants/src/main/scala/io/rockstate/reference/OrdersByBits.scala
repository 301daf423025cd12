package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.KeyStateEncoderSpec

/** A mutant that orders the keys of some specifications by the bits of a column: negative numbers come last. */
abstract class OrdersByBits(isOf: KeyStateEncoderSpec => Boolean, column: Int)(bits: UnsafeRow => Long)
    extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override protected def compare(left: UnsafeRow, right: UnsafeRow): Int =
      if (!isOf(spec) || left.isNullAt(column) || right.isNullAt(column)) super.compare(left, right)
      else {
        val byBits = java.lang.Long.compareUnsigned(bits(left), bits(right))
        if (byBits != 0) byBits else super.compare(left, right)
      }
  }
}

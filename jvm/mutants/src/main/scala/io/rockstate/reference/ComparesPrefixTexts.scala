package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.KeyStateEncoderSpec
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String

/** A mutant that compares the texts of keys and prefixes in its own way.
  *
  * @param isPrefixed whether a key's first column, the first argument, has the prefix
  */
abstract class ComparesPrefixTexts(isPrefixed: (UTF8String, UTF8String) => Boolean) extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean =
      if (schema.head.dataType != StringType || key.isNullAt(0) || prefix.isNullAt(0)) super.hasPrefix(key, prefix)
      else isPrefixed(key.getUTF8String(0), prefix.getUTF8String(0))
  }
}

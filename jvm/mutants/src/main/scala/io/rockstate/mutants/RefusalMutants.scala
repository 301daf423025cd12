package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Row

/** A prefix scan of keys without a prefix is not refused, and is empty. */
class PrefixScanWithoutPrefixIsEmpty
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def prefixed(prefix: UnsafeRow, family: String): Seq[Row] =
        if (provider.declared(family).order.supportsPrefixScan) super.prefixed(prefix, family) else Nil
    })

/** A merge of several values where a key has one keeps the last. */
class MergeOfSeveralKeepsTheLastWhereThereIsOne
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def merge(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        super.mergeList(key, Array(value), family)

      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        if (provider.declared(family).hasMultipleValues) super.mergeList(key, values, family)
        else put(key, values.last, family)
    })

/** A prefix scan of all values where a key has one gives that. */
class PrefixScanOfValuesGivesTheOneThereIs
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        if (provider.declared(family).hasMultipleValues) super.prefixScanWithMultiValues(prefix, family)
        else prefixScan(prefix, family)
    })

/** A range scan of all values where a key has one gives that. */
class RangeScanOfValuesGivesTheOneThereIs
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        if (provider.declared(family).hasMultipleValues) super.rangeScanWithMultiValues(start, end, family)
        else rangeScan(start, end, family)
    })

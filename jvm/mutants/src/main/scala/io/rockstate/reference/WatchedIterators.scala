package io.rockstate.reference

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.Pairs.Pairs

/** Stores that watch one kind of iterator each. */
trait WatchesScans extends WatchesItsIterators {
  override def iterator(family: String): Pairs = Pairs.changed(super.iterator(family))(watched(_, family))
}

trait WatchesPrefixScans extends WatchesItsIterators {
  override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
    Pairs.changed(super.prefixScan(prefix, family))(watched(_, family))
}

trait WatchesRangeScans extends WatchesItsIterators {
  override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
    Pairs.changed(super.rangeScan(start, end, family))(watched(_, family))
}

trait WatchesScansOfValues extends WatchesItsIterators {
  override def iteratorWithMultiValues(family: String): Pairs =
    Pairs.changed(super.iteratorWithMultiValues(family))(watched(_, family))
}

trait WatchesPrefixScansOfValues extends WatchesItsIterators {
  override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
    Pairs.changed(super.prefixScanWithMultiValues(prefix, family))(watched(_, family))
}

trait WatchesRangeScansOfValues extends WatchesItsIterators {
  override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
    Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(watched(_, family))
}

trait WatchesValues extends WatchesItsIterators {
  override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
    watched(super.valuesIterator(key, family), family)
}

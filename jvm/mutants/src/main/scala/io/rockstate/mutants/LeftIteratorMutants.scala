package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** A scan that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenScan
    extends WithStore(new WaitsForItsIterators(_, _, _, _) {
      override def iterator(family: String): Pairs = Pairs.changed(super.iterator(family))(watched(_))
    })

/** A prefix scan that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenPrefixScan
    extends WithStore(new WaitsForItsIterators(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(watched(_))
    })

/** A range scan that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenRangeScan
    extends WithStore(new WaitsForItsIterators(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScan(start, end, family))(watched(_))
    })

/** The values of a key that are left half-read keep their store from a commit. */
class CommitRefusesOpenValues
    extends WithStore(new WaitsForItsIterators(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        watched(super.valuesIterator(key, family))
    })

/** A prefix scan of all values that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenPrefixScanOfValues
    extends WithStore(new WaitsForItsIterators(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScanWithMultiValues(prefix, family))(watched(_))
    })

/** A range scan of all values that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenRangeScanOfValues
    extends WithStore(new WaitsForItsIterators(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(watched(_))
    })

/** A prefix scan that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenPrefixScan
    extends WithStore(new AbortsWithoutIterators(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(watched(_))
    })

/** A range scan that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenRangeScan
    extends WithStore(new AbortsWithoutIterators(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScan(start, end, family))(watched(_))
    })

/** A prefix scan of all values that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenPrefixScanOfValues
    extends WithStore(new AbortsWithoutIterators(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScanWithMultiValues(prefix, family))(watched(_))
    })

/** A range scan of all values that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenRangeScanOfValues
    extends WithStore(new AbortsWithoutIterators(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(watched(_))
    })

/** The values of a key that are left half-read keep their store from an abort. */
class AbortRefusesOpenValues
    extends WithStore(new AbortsWithoutIterators(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        watched(super.valuesIterator(key, family))
    })

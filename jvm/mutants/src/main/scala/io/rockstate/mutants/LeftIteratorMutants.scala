package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** A scan that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenScan
    extends WithStore(new WatchesItsIterators(_, _, _, _) with WaitsForItsIterators with WatchesScans)

/** A prefix scan that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenPrefixScan
    extends WithStore(new WatchesItsIterators(_, _, _, _) with WaitsForItsIterators with WatchesPrefixScans)

/** A range scan that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenRangeScan
    extends WithStore(new WatchesItsIterators(_, _, _, _) with WaitsForItsIterators with WatchesRangeScans)

/** The values of a key that are left half-read keep their store from a commit. */
class CommitRefusesOpenValues
    extends WithStore(new WatchesItsIterators(_, _, _, _) with WaitsForItsIterators with WatchesValues)

/** A prefix scan of all values that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenPrefixScanOfValues
    extends WithStore(new WatchesItsIterators(_, _, _, _) with WaitsForItsIterators with WatchesPrefixScansOfValues)

/** A range scan of all values that is left half-way keeps its store from a commit. */
class CommitRefusesAnOpenRangeScanOfValues
    extends WithStore(new WatchesItsIterators(_, _, _, _) with WaitsForItsIterators with WatchesRangeScansOfValues)

/** A prefix scan that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenPrefixScan
    extends WithStore(new WatchesItsIterators(_, _, _, _) with AbortsWithoutIterators with WatchesPrefixScans)

/** A range scan that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenRangeScan
    extends WithStore(new WatchesItsIterators(_, _, _, _) with AbortsWithoutIterators with WatchesRangeScans)

/** A prefix scan of all values that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenPrefixScanOfValues
    extends WithStore(new WatchesItsIterators(_, _, _, _) with AbortsWithoutIterators with WatchesPrefixScansOfValues)

/** A range scan of all values that is left half-way keeps its store from an abort. */
class AbortRefusesAnOpenRangeScanOfValues
    extends WithStore(new WatchesItsIterators(_, _, _, _) with AbortsWithoutIterators with WatchesRangeScansOfValues)

/** The values of a key that are left half-read keep their store from an abort. */
class AbortRefusesOpenValues
    extends WithStore(new WatchesItsIterators(_, _, _, _) with AbortsWithoutIterators with WatchesValues)

/** A scan cannot be closed once its store has ended. */
class ScanClosesOnlyWithinItsStore
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): Pairs = Pairs.closing(super.iterator(family))(requireOpen("close a scan"))
    })

/** A prefix scan cannot be closed once its store has ended. */
class PrefixScanClosesOnlyWithinItsStore
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.closing(super.prefixScan(prefix, family))(requireOpen("close a scan"))
    })

/** A range scan cannot be closed once its store has ended. */
class RangeScanClosesOnlyWithinItsStore
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.closing(super.rangeScan(start, end, family))(requireOpen("close a scan"))
    })

package io.rockstate.mutants

import java.util.ConcurrentModificationException

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStoreIterator

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** An open prefix scan gives a key once more after each write to its store. */
class PrefixScanRepeatsKeysWhenStoreIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs = {
        var known = written.size
        Pairs.changed(super.prefixScan(prefix, family))(_.flatMap { pair =>
          val isRepeated = written.size != known
          known = written.size
          if (isRepeated) Iterator(pair, pair) else Iterator(pair)
        })
      }
    })

/** An open range scan gives at its end what has been written to the range since it began. */
class RangeScanGoesOnToRowsWrittenSince
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val (first, last, known) = (start.map(_.copy()), end.map(_.copy()), written.size)
        Pairs.changed(super.rangeScan(start, end, family))(_ ++ super.rangeScan(first, last, family).filter { pair =>
          changes.drop(known).exists { case change: KeyChange => change.key == pair.key; case _ => false }
        })
      }
    })

/** An open prefix scan of all values ends once its store is written. */
class PrefixScanOfValuesEndsWhenStoreIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs = {
        val known = written.size
        Pairs.changed(super.prefixScanWithMultiValues(prefix, family))(_.takeWhile(_ => written.size == known))
      }
    })

/** An open range scan of all values fails once its store is written. */
class RangeScanOfValuesFailsWhenStoreIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val known = written.size
        Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(_.map { pair =>
          if (written.size == known) pair else throw new ConcurrentModificationException
        })
      }
    })

/** A key's values are looked up one by one, as they are asked for. */
class ValuesOfAKeyAreReadAsTheyAreAskedFor
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = {
        val kept = key.copy()
        val first = super.valuesIterator(kept, family)
        val others = Iterator.from(1).map(super.valuesIterator(kept, family).drop(_))
        (Iterator.single(first) ++ others).takeWhile(_.hasNext).map(_.next())
      }
    })

/** An open range scan ends once another family is written. */
class RangeScanEndsWhenAnotherFamilyIsWritten
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        def ofOthers = written.count { case change: KeyChange => change.family != family; case _ => false }
        val known = ofOthers
        Pairs.changed(super.rangeScan(start, end, family))(_.takeWhile(_ => ofOthers == known))
      }
    })

/** A range scan looks at the caller's rows for its bounds as long as it goes on. */
class RangeScanForgetsToCopyItsBounds
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val all = super.rangeScan(None, None, family)
        val order = provider.declared(family).order
        Pairs.changed(all)(_.filter { pair =>
          start.forall(order.ordering.lteq(_, pair.key)) && end.forall(isBefore(order, pair.key, _))
        })
      }
    })

/** A scan that is asked twice in a row whether it has more loses a row. */
class AskingAScanTwiceLosesARow
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): Pairs = Pairs.lostWhenAskedTwice(super.iterator(family))
    })

/** A prefix scan that is asked twice in a row whether it has more loses a row. */
class AskingAPrefixScanTwiceLosesARow
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.lostWhenAskedTwice(super.prefixScan(prefix, family))
    })

/** A range scan that is asked twice in a row whether it has more loses a row. */
class AskingARangeScanTwiceLosesARow
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.lostWhenAskedTwice(super.rangeScan(start, end, family))
    })

/** A prefix scan ends those that are open. */
class PrefixScanEndsThoseThatAreOpen
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last = 0

      override def prefixScan(prefix: UnsafeRow, family: String): Pairs = {
        last += 1
        val own = last
        Pairs.changed(super.prefixScan(prefix, family))(_.takeWhile(_ => last == own))
      }
    })

/** A prefix scan that is closed before its end ends those that are open. */
class ClosingAPrefixScanEndsThoseThatAreOpen
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var closed = 0

      override def prefixScan(prefix: UnsafeRow, family: String): Pairs = {
        val (all, known) = (super.prefixScan(prefix, family), closed)
        new StateStoreIterator(all.takeWhile(_ => closed == known), () => if (all.hasNext) closed += 1)
      }
    })

/** Looking up a key's values changes the key that a scan of a read store has given last. */
class ValuesChangeTheKeyOfAScan
    extends WithReadStore(new ReadStore(_, _, _) {
      private var last: Option[UnsafeRow] = None

      override def iterator(family: String): Pairs = Pairs.changed(super.iterator(family))(_.map { pair =>
        last = Some(pair.key)
        pair
      })

      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] = {
        last.foreach(Rows.point(_, key.copy()))
        super.valuesIterator(key, family)
      }
    })

/** A range scan goes by the number of rows that it has given, whatever is put before them. */
class RangeScanGoesByPosition
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val (first, last) = (start.map(_.copy()), end.map(_.copy()))
        val found = Iterator.from(0).map(i => super.rangeScan(first, last, family).slice(i, i + 1).nextOption())
        Pairs.changed(super.rangeScan(first, last, family))(_ => found.takeWhile(_.isDefined).flatten)
      }
    })

/** A scan ends where another family is written. */
class ScanEndsWhereAnotherFamilyIsWritten extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesScans)

/** A prefix scan ends where another family is written. */
class PrefixScanEndsWhereAnotherFamilyIsWritten
    extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesPrefixScans)

/** A range scan ends where another family is written. */
class RangeScanEndsWhereAnotherFamilyIsWritten
    extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesRangeScans)

/** A scan of all values ends where another family is written. */
class ScanOfValuesEndsWhereAnotherFamilyIsWritten
    extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesScansOfValues)

/** A prefix scan of all values ends where another family is written. */
class PrefixScanOfValuesEndsWhereAnotherFamilyIsWritten
    extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesPrefixScansOfValues)

/** A range scan of all values ends where another family is written. */
class RangeScanOfValuesEndsWhereAnotherFamilyIsWritten
    extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesRangeScansOfValues)

/** The values of a key end where another family is written. */
class ValuesEndWhereAnotherFamilyIsWritten extends WithStore(new EndsItsIterators(_, _, _, _) with WatchesValues)

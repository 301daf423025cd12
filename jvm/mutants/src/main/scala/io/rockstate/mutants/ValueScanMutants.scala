package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** A scan of all values that is asked twice in a row whether it has more loses a pair. */
class AskingAScanOfValuesTwiceLosesAPair
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iteratorWithMultiValues(family: String): Pairs =
        Pairs.lostWhenAskedTwice(super.iteratorWithMultiValues(family))
    })

/** A prefix scan of all values that is asked twice in a row whether it has more loses a pair. */
class AskingAPrefixScanOfValuesTwiceLosesAPair
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        Pairs.lostWhenAskedTwice(super.prefixScanWithMultiValues(prefix, family))
    })

/** A range scan of all values that is asked once more after its end throws. */
class AskingARangeScanOfValuesAfterItsEndThrows
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(Pairs.throwingBeyondTheEnd)
    })

/** The values of a key that are asked twice in a row whether there is more lose one. */
class AskingValuesTwiceLosesOne
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        Pairs.skippingWhenAskedTwice(super.valuesIterator(key, family))
    })

/** The values of a key that are asked once more after their end throw. */
class AskingValuesAfterTheirEndThrows
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        Pairs.throwingBeyondTheEnd(super.valuesIterator(key, family))
    })

/** An open prefix scan of all values passes over a pair after each remove. */
class PrefixScanOfValuesSkipsAfterARemove
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private def removes: Int = written.count(_.isInstanceOf[Remove])

      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs = {
        var known = removes
        Pairs.changed(super.prefixScanWithMultiValues(prefix, family))(_.filter { _ =>
          val isRemoved = removes != known
          known = removes
          !isRemoved
        })
      }
    })

/** An open range scan of all values ends once a key of its store is removed. */
class RangeScanOfValuesEndsAfterARemove
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private def removes: Int = written.count(_.isInstanceOf[Remove])

      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val known = removes
        Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(_.takeWhile(_ => removes == known))
      }
    })

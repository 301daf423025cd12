package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._

/** A delete is there until the commit: the delta lacks it. */
class LosesDeletesInDelta extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] =
    super.recorded(store).filterNot(_.isInstanceOf[Remove])
}

/** The delta lacks the last change of a transaction that made several. */
class LosesLastChangeInDelta extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = super.recorded(store) match {
    case Seq(only) => Seq(only)
    case changes => changes.dropRight(1)
  }
}

/** Keeps the caller's value itself, which the caller may use for another row. */
class ForgetsToCopyRowOnPut
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = value
    })

/** Removes the end of a range, too, which does not belong to it. */
class DeleteRangeRemovesItsEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
        super.deleteRange(begin, end, family)
        remove(end, family)
      }
    })

/** Removing an absent key ends in an error. */
class RemoveOfAbsentKeyFails
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def remove(key: UnsafeRow, family: String): Unit = {
        if (!keyExists(key, family)) throw new NoSuchElementException("There is no such key")
        super.remove(key, family)
      }
    })

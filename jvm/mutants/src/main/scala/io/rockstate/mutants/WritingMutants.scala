package io.rockstate.mutants

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

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

/** The delta counts its changes in two bytes, and has no more than that. */
class LosesChangesBeyond65535 extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = super.recorded(store).take(65535)
}

/** A key that is null is kept as the empty text. */
class KeepsNullKeyAsEmptyText
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = super.put(filled(key), value, family)
      override def get(key: UnsafeRow, family: String): UnsafeRow = super.get(filled(key), family)

      private def filled(key: UnsafeRow): UnsafeRow =
        if (key.numFields > 1 || !key.isNullAt(0)) key
        else {
          val schema = new StructType().add("k", StringType)
          UnsafeProjection.create(schema)(InternalRow(UTF8String.EMPTY_UTF8)).copy()
        }
    })

/** A store whose commit has failed cannot be aborted. */
class AbortAfterAFailedCommitThrows
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var isTried = false

      override def commit(): Long = {
        isTried = isOpen
        super.commit()
      }

      override def abort(): Unit = {
        if (isTried && !hasCommitted) throw new IllegalStateException("Cannot abort: a commit has failed")
        super.abort()
      }
    })

/** A put of the value that the version before has is left out of the delta. */
class LeavesOutPutsOfWhatWasThere extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = super.recorded(store).filter {
    case Put(family, key, values) => !store.before.families.get(family).exists(_.rows.get(key).contains(values))
    case _ => true
  }
}

/** A delta has the values that are put to a new key as merged ones. */
class PutsListsOfNewKeysAsMerges extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = super.recorded(store).map {
    case Put(family, key, values)
        if declared(family).hasMultipleValues && !store.before.families.get(family).exists(_.rows.contains(key)) =>
      Merge(family, key, values)
    case other => other
  }
}

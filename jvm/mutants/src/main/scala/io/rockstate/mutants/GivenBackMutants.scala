package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** A put of the row that the store gave last is taken for no change, whichever the key. */
class PutOfARowItGaveIsNoChange
    extends WithStore(new KnowsWhatItGave(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        if (!isGiven(value)) super.put(key, value, family)
    })

/** A merge of a row that the store has given empties that row before it is kept. */
class MergeOfARowItGaveIsEmpty
    extends WithStore(new KnowsWhatItGave(_, _, _, _) {
      override def merge(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        if (isGiven(value)) (0 until value.numFields).foreach(value.setNullAt)
        super.merge(key, value, family)
      }
    })

/** At a task's end its transaction is aborted, though it may be committed. */
class AbortsAtTheEndOfEveryTask extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val opened = super.store(base, before, opening)
    AtTheTasksEnd(opened.abort())
    opened
  }
}

/** At a task's end its store for reading is released; that it may be once. */
class ReleasesAgainAtTheEndOfATask
    extends WithReadStore(new ReadStore(_, _, _) {
      AtTheTasksEnd(release())

      override def release(): Unit = {
        if (!isOpen) throw new IllegalStateException("The store was released before")
        super.release()
      }
    })

package io.rockstate.reference

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference.ReferenceStore.Opening

/** A mutant whose stores know, each in its transaction, what deletes of ranges have removed. */
abstract class RemembersDeletedRanges(make: WithStore.Make) extends WithStore(make)

object RemembersDeletedRanges {

  class Store(provider: ReferenceStoreProvider, base: Version, before: Contents, opening: Opening)
      extends ReferenceStore(provider, base, before, opening) {

    /** The first value of each key that a delete of a range has removed, and that was not written since. */
    protected val deleted: mutable.Map[(String, UnsafeRow), UnsafeRow] = mutable.Map.empty

    override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
      val gone = ranged(Some(begin), Some(end), family)
      super.deleteRange(begin, end, family)
      gone.foreach { case (key, values) => deleted(family -> key) = values.head }
    }

    override protected def write(change: Change): Unit = {
      super.write(change)
      change match {
        case change: KeyChange => deleted.remove(change.family -> change.key)
        case _ => ()
      }
    }
  }
}

package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._

/** A list that is put in the place of one of the same length is taken for that. */
class PutsOfAsManyValuesAreDropped
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        val there = contents.families(family).rows.get(key).fold(0)(_.size)
        if (there != values.length || there < 2) super.putList(key, values, family)
      }
    })

/** Values that are a whole list already are not added to it again. */
class MergesOfTheWholeListAreDropped
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        val there = contents.families(family).rows.getOrElse(key, Vector.empty)
        if (values.length < 2 || there != values.toVector) super.mergeList(key, values, family)
      }
    })

/** A list that is put as the version before had it is not written. */
class ListsPutBackAreNotWritten extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = store.changes.filter {
    case Put(family, key, values) if values.size > 1 =>
      !store.before.families.get(family).exists(_.rows.get(key).contains(values))
    case _ => true
  }
}

/** Of equal values one after the other a snapshot has one. */
class SnapshotsLackEqualValues extends ReferenceStoreProvider {
  override protected def snapshotOf(version: Version): Contents = super.snapshotOf(version).withRows { (_, rows) =>
    rows.map { case (key, values) => key -> once(values) }
  }

  private def once(values: Vector[UnsafeRow]): Vector[UnsafeRow] =
    values.foldLeft(Vector.empty[UnsafeRow]) { (kept, value) =>
      if (kept.lastOption.contains(value)) kept else kept :+ value
    }
}

/** An instance keeps the lists that it has, whatever others have added since. */
class KeepsItsListsWhenOthersGoOn extends ReferenceStoreProvider {
  @volatile private var had: Option[(Long, Contents)] = None

  override protected def load(version: Version): Contents = {
    val now = super.load(version)
    val loaded = had match {
      case Some((number, old)) if version.number > number + 1 => now.withRows((family, rows) => kept(rows, old, family))
      case _ => now
    }
    had = Some(version.number -> loaded)
    loaded
  }

  private def kept(rows: Contents.Rows, old: Contents, family: String): Contents.Rows = {
    val before = old.families.get(family).fold(Map.empty: Contents.Rows)(_.rows)
    rows.map { case (key, values) => key -> before.get(key).filter(_.size > 1).getOrElse(values) }
  }
}

/** A replay has no lists of families. */
class ReplayForgetsListsOfFamilies extends ReferenceStoreProvider {
  override protected def replay(snapshot: Version, end: Version): Contents =
    super.replay(snapshot, end).withRows { (family, rows) =>
      if (family == StateStore.DEFAULT_COL_FAMILY_NAME) rows else rows.filter(_._2.size < 2)
    }
}

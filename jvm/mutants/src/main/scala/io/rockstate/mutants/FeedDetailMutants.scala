package io.rockstate.mutants

import java.io.FileNotFoundException

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.StateFiles.DeltaFile

/** The change feed has each version's changes by whichever attempt is listed last, whatever id was asked for. */
class ChangeFeedIgnoresCheckpointId extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] = {
      val attempts = files.list().collect { case (version, DeltaFile) if version.number == last.number => version }
      super.deltas(first, attempts.maxByOption(_.id).getOrElse(last))
    }
  }
}

/** The change feed tells the last change of a version first. */
class ChangeFeedReversesEachVersion extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] = {
      val all = super.deltas(first, last)
      all.dropRight(1) ++ all.lastOption.map { case (version, delta) =>
        version -> delta.copy(changes = delta.changes.reverse)
      }
    }
  }
}

/** The change feed has its versions in the order of their files' names, in which 10 comes before 9. */
class ChangeFeedGoesByFileNames extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      super.deltas(first, last).sortBy(_._1.number.toString)
  }
}

/** The change feed passes over a version whose delta is missing. */
class ChangeFeedPassesOverWhatIsMissing extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      try super.deltas(first, last)
      catch {
        case _: FileNotFoundException =>
          files.list().map(_._1).find(_.number == last.number - 1).fold(Seq.empty[(Version, Delta)])(deltas(first, _))
      }
  }
}

/** The change feed of a family with prefixes has the prefix of each key. */
class ChangeFeedLosesColumnsBeyondThePrefix extends ReferenceStoreProvider {
  override protected def keyIn(change: KeyChange): UnsafeRow = {
    val key = super.keyIn(change).copy()
    val order = declared(change.family).order
    if (order.supportsPrefixScan && !order.supportsRangeScan) (1 until key.numFields).foreach(key.setNullAt)
    key
  }
}

/** The change feed of a family in order has its numbers as they are encoded, with the sign bit turned. */
class ChangeFeedTellsNumbersAsTheyAreEncoded extends ReferenceStoreProvider {
  override protected def keyIn(change: KeyChange): UnsafeRow = {
    val key = super.keyIn(change).copy()
    if (declared(change.family).order.supportsRangeScan && !key.isNullAt(0))
      key.setLong(0, key.getLong(0) ^ Long.MinValue)
    key
  }
}

/** A delete of a range makes the family anew without the rows in it, which the change feed does not tell. */
class ChangeFeedLosesDeletedRanges
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit = {
        val gone = ranged(Some(begin), Some(end), family).map(_._1).toSet
        val old = contents.families(family)
        write(RemoveFamily(family))
        write(CreateFamily(family, old.isInternal))
        for ((key, values) <- old.rows if !gone(key)) write(Put(family, key, values))
      }
    })

/** The change feed ends at a version in which nothing was written. */
class ChangeFeedEndsAtAnEmptyVersion extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      new History(files).deltas(first, last).takeWhile(_._2.changes.nonEmpty)
  }
}

/** The change feed of a family fails if its first version lacks that. */
class ChangeFeedNeedsItsFamilyFromTheStart extends ReferenceStoreProvider {
  @volatile private var oldest = Version(0, None)

  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] = {
      if (last.number == first) oldest = last
      super.deltas(first, last)
    }
  }

  override protected def isOf(change: KeyChange, family: String): Boolean = {
    require(load(oldest).families.contains(family), s"$oldest has no column family $family")
    super.isOf(change, family)
  }
}

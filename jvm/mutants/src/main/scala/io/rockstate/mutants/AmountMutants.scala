package io.rockstate.mutants

import scala.collection.concurrent.TrieMap
import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.SnapshotFile

/** Prefix scans end after a thousand rows. */
class PrefixScanEndsAfterThousandRows
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(_.take(1000))
    })

/** Range scans end after a thousand rows. */
class RangeScanEndsAfterThousandRows
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScan(start, end, family))(_.take(1000))
    })

/** Prefix scans of all values end after a thousand pairs. */
class PrefixScanOfValuesEndsAfterThousandPairs
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScanWithMultiValues(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScanWithMultiValues(prefix, family))(_.take(1000))
    })

/** The values of a key are counted in two bytes, and those beyond are lost. */
class LosesValuesBeyond65535
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        super.valuesIterator(key, family).take(65535)
    })

/** The merges of a key in a transaction are counted in a byte, and those beyond are lost. */
class LosesMergesBeyond255
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private val merges = mutable.Map.empty[(String, UnsafeRow), Int].withDefaultValue(0)

      override protected def write(change: Change): Unit = change match {
        case Merge(family, key, _) =>
          if (merges(family -> key) < 255) super.write(change)
          merges(family -> key) += 1
        case other => super.write(other)
      }
    })

/** A text in a list of values that is longer than 65,535 bytes is cut. */
class CutsValuesOfListsOf64Kb extends CutsText(65535) {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        super.putList(key, values.map(cut), family)
    }
}

/** Scans of all values end after a thousand pairs. */
class ScanOfValuesEndsAfterThousandPairs
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iteratorWithMultiValues(family: String): Pairs =
        Pairs.changed(super.iteratorWithMultiValues(family))(_.take(1000))
    })

/** Range scans of all values end after a thousand pairs. */
class RangeScanOfValuesEndsAfterThousandPairs
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScanWithMultiValues(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScanWithMultiValues(start, end, family))(_.take(1000))
    })

/** A family that is removed loses a thousand rows, and has the others when it is created again. */
class RemoveFamilyRemovesThousandRows extends ReferenceStoreProvider {
  private val removed = TrieMap.empty[String, Family]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new RemembersRemoved(this, base, before, opening, removed) {
      override protected def created(family: String): Unit =
        for (kept <- removed.remove(family); (key, values) <- kept.rows.drop(1000)) write(Put(family, key, values))
    }
}

/** The change feed tells the first thousand changes of each version. */
class ChangeFeedTellsThousandChangesOfAVersion extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      super.deltas(first, last).map { case (version, delta) =>
        version -> delta.copy(changes = delta.changes.take(1000))
      }
  }
}

/** A replay makes the first thousand changes of each version. */
class ReplayMakesThousandChangesOfAVersion extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def replay(snapshot: Version, end: Version): Contents =
      if (end == snapshot) super.replay(snapshot, end)
      else {
        val delta = files.delta(end)
        applied(delta.copy(changes = delta.changes.take(1000)))(replay(snapshot, _))
      }
  }
}

/** Snapshots lose rows beyond 65,535. */
class SnapshotLosesRowsBeyond65535 extends ChangesSnapshots(_.take(65535))

/** Snapshots lose rows with a key of 64 KB and more. */
class SnapshotLosesKeysOf64Kb extends ChangesSnapshots(_.filter(_._1.getSizeInBytes <= 65535))

/** Snapshots lose values of a key beyond 65,535. */
class SnapshotLosesValuesBeyond65535 extends ChangesSnapshots(_.map { case (key, values) => key -> values.take(65535) })

/** A scan ends once a thousand writes have been made since it was opened. */
class ScanEndsAfterThousandWrites
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): Pairs = {
        val known = written.size
        Pairs.changed(super.iterator(family))(_.takeWhile(_ => written.size - known < 1000))
      }
    })

/** A range scan begins again once a thousand writes have been made since it was opened. */
class RangeScanBeginsAgainAfterThousandWrites
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val (known, passed) = (written.size, mutable.Buffer.empty[UnsafeRowPair])
        Pairs.changed(super.rangeScan(start, end, family))(_.flatMap { pair =>
          passed += pair
          if (written.size - known < 1000) Iterator(pair)
          else {
            val again = passed.toVector
            passed.clear()
            again.iterator
          }
        })
      }
    })

/** A version has as many changes as two bytes count. */
class CommitsAtMost65535Changes extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = super.recorded(store).take(65535)
}

/** A version is made of forty deltas at most. */
class LoadsFortyDeltasAtMost extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def load(version: Version): Contents = load(version, deltas = 40)

    private def load(version: Version, deltas: Int): Contents =
      if (deltas == 0) Contents.empty
      else if (version.number == 0 || files.exists(version, SnapshotFile)) super.load(version)
      else applied(files.delta(version))(load(_, deltas - 1))
  }
}

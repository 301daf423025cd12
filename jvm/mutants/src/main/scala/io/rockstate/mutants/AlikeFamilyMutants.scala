package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.Opening
import io.rockstate.reference.StateFiles.DeltaFile

/** A prefix scan gives the rows of other families with that prefix, too. */
class PrefixScanGivesRowsOfLikeFamilies
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs = {
        val order = provider.declared(family).order
        val others = contents.families.keys.toSeq.filter(other => other != family && provider.isDeclared(other))
        val alike = others.filter(other => provider.declared(other).order.schema == order.schema)
        val rows = alike.flatMap(super.prefixScan(prefix, _))
        Pairs.changed(super.prefixScan(prefix, family))(_ ++ rows)
      }
    })

/** A merge goes to the first of the families whose keys have several values, and that have the key. */
class MergeGoesToTheFirstOfLikeFamilies
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        def takesIt(other: String) = provider.isDeclared(other) && provider.declared(other).hasMultipleValues
        val first = contents.families.toSeq.sortBy(_._1).collectFirst {
          case (other, found) if takesIt(other) && found.rows.contains(key) => other
        }
        super.mergeList(key, values, first.getOrElse(family))
      }
    })

/** Families whose names have one hash are one. */
class KnowsFamiliesByTheirHash extends TakesFamiliesForOne(_.hashCode.toString)

/** A file is named as a family. */
class NamesAFileAsItsFamily extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def requireFamilyName(family: String, isInternal: Boolean): Unit = {
        super.requireFamilyName(family, isInternal)
        files.leave(s"${family.replace('/', '_')}.family")
      }
    }
}

/** A family is removed with all whose names begin as its own. */
class RemovesFamiliesOfLongerNames
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def removeColFamilyIfExists(family: String): Boolean = {
        contents.families.keys.filter(name => name != family && name.startsWith(family)).foreach { longer =>
          super.removeColFamilyIfExists(longer)
        }
        super.removeColFamilyIfExists(family)
      }
    })

/** A family that was removed once is said to have been there whenever it is removed again. */
class SaysOfARemovedFamilyThatItWasThere extends ReferenceStoreProvider {
  private val removed = TrieMap.empty[String, Unit]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def removeColFamilyIfExists(family: String): Boolean = {
        val isThere = super.removeColFamilyIfExists(family)
        val wasThere = removed.contains(family)
        if (isThere) removed(family) = ()
        isThere || wasThere
      }
    }
}

/** Version 0 has the rows that its instance knows of families other than the default. */
class VersionZeroKeepsItsFamilies extends ReferenceStoreProvider {
  @volatile private var last = Contents.empty

  override protected def load(version: Version): Contents = {
    val loaded = super.load(version)
    if (version.number == 0) Contents(last.families ++ loaded.families)
    else {
      last = loaded
      loaded
    }
  }
}

/** A change feed ends before a version in which a family was removed. */
class ChangeFeedEndsWhereAFamilyGoes extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      super.deltas(first, last).takeWhile(!_._2.changes.exists(_.isInstanceOf[RemoveFamily]))
  }
}

/** A snapshot that a commit makes has of each key of several values what it had before. */
class CommitSnapshotsForgetMerges
    extends WithCommitSnapshots(store =>
      store.contents.withRows { (family, rows) =>
        val before = store.before.families.get(family).fold(Map.empty: Contents.Rows)(_.rows)
        rows.map { case (key, values) => key -> before.get(key).filter(values.startsWith(_)).getOrElse(values) }
      }
    )

/** A variable's families are one, whatever stands between the dollar and its name. */
class KnowsFamiliesByTheirVariable
    extends TakesFamiliesForOne(name => if (name.startsWith("$")) name.dropWhile(_ != '_').drop(1) else name)

/** Of a family's name 16 letters count. */
class NamesOfFamiliesEndAt16Letters extends TakesFamiliesForOne(_.take(16))

/** Blanks in a family's name do not count. */
class NamesOfFamiliesHaveNoBlanks extends TakesFamiliesForOne(_.replace(" ", ""))

/** A commit makes its version before the rows of families are there. */
class WritesFamiliesAfterTheVersion extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeDelta(version: Version, delta: Delta): Int = {
        super.writeDelta(version, delta.copy(changes = delta.changes.filterNot(Change.isOfAFamily)))
        super.writeDelta(version, delta)
      }
    }
}

/** A batch that is run again keeps what its first run has put to families. */
class KeepsFamiliesOfTheFirstRun extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeDelta(version: Version, written: Delta): Int = {
        val before = if (exists(version, DeltaFile)) delta(version).changes.filter(Change.isOfAFamily) else Nil
        super.writeDelta(version, written.copy(changes = before ++ written.changes))
      }
    }
}

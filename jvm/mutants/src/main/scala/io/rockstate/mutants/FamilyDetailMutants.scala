package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.{StructType => Struct}

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.{Committed, Opening}

/** The values of all families are read with the columns of the store's own. */
class ReadsAllFamiliesWithTheStoresColumns extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def handOut(value: UnsafeRow): UnsafeRow =
        if (value.numFields == 0) super.handOut(value)
        else Rows.point(new UnsafeRow(valueSchema.size), super.handOut(value))
    }
}

/** Prefixes that are structs are compared by their first column. */
class PrefixStructsAreComparedByTheirFirstColumn extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec) {
    override def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean = spec.keySchema.head.dataType match {
      case struct: Struct =>
        key.getStruct(0, struct.size).get(0, struct.head.dataType) ==
          prefix.getStruct(0, struct.size).get(0, struct.head.dataType)
      case _ => super.hasPrefix(key, prefix)
    }
  }
}

/** A scan in order has null for a struct behind the columns that order. */
class ScanInOrderLosesStructs
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): Pairs = {
        val order = provider.declared(family).order
        val isLost = order.supportsRangeScan && order.schema.last.dataType.isInstanceOf[Struct]
        Pairs.changed(super.iterator(family))(_.map { pair =>
          if (isLost) pair.key.setNullAt(1)
          pair
        })
      }
    })

/** A family that is new has the rows of one that was removed, whatever that was called. */
class NewFamilyHasRowsOfARemovedOne extends ReferenceStoreProvider {
  private val removed = TrieMap.empty[String, Family]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new RemembersRemoved(this, base, before, opening, removed) {
      override protected def created(family: String): Unit = if (!removed.contains(family)) {
        removed.values.flatMap(_.rows).foreach { case (key, values) => write(Put(family, key, values)) }
        removed.clear()
      }
    }
}

/** A snapshot by maintenance has the families that this executor was told of. */
class SnapshotLosesUndeclaredFamilies extends ReferenceStoreProvider {
  override protected def snapshotOf(version: Version): Contents =
    Contents(super.snapshotOf(version).families.filter { case (name, _) => isDeclared(name) })
}

/** A snapshot that a commit is told to make lacks internal families. */
class CommitSnapshotsNoInternalFamilies
    extends WithCommitSnapshots(store => Contents(store.contents.families.filterNot(_._2.isInternal)))

/** Families are internal where their names begin with a dollar sign, whatever was declared. */
class FamiliesAreInternalByTheirNames
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def write(change: Change): Unit = super.write(change match {
        case CreateFamily(family, _) => CreateFamily(family, family.startsWith("$"))
        case other => other
      })
    })

/** A version that is started empty, and in which nothing is written, has what its base has. */
class EmptyStartWithoutChangesIsNone extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed =
    if (store.opening.startsEmpty && store.changes.isEmpty && isThere(store.base)) {
      super.commit(new ReferenceStore(this, store.base, load(store.base), Opening()))
    } else super.commit(store)
}

/** A family of lists that is removed and made again in one batch has the lists of the version before. */
class FamilyOfListsMadeAgainKeepsThem extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = {
        super.write(change)
        change match {
          case CreateFamily(family, _) =>
            val kept = this.before.families.get(family).fold(Map.empty[UnsafeRow, Vector[UnsafeRow]])(_.rows)
            kept.filter(_._2.size > 1).foreach { case (key, values) => super.write(Put(family, key, values)) }
          case _ =>
        }
      }
    }
}

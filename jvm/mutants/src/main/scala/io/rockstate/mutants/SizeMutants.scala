package io.rockstate.mutants

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs
import io.rockstate.reference.ReferenceStore.{Committed, Opening}

/** A scan whose rows fill pages of 1,024 loses the last one. */
class ScanLosesTheLastOfFullPages
    extends WithReadStore(new ReadStore(_, _, _) {
      override def iterator(family: String): Pairs = Pairs.changed(super.iterator(family)) { all =>
        val rows = all.toVector
        if (rows.nonEmpty && rows.size % 1024 == 0) rows.init.iterator else rows.iterator
      }
    })

/** A value that fills pages of 4,096 bytes is not there. */
class LosesValuesThatFillPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        if (value.getSizeInBytes % 4096 != 0) super.put(key, value, family)
    })

/** A delta lacks values whose length does not fit a short, as it counts them. */
class DeltasLackValuesBeyondAShort extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] = store.changes.filter {
    case Put(_, _, Vector(value)) => value.getSizeInBytes.toShort >= 0
    case _ => true
  }
}

/** A key that fills pages of 4,096 bytes is not there. */
class LosesKeysThatFillPages
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        if (key.getSizeInBytes % 4096 != 0) super.put(key, value, family)
    })

/** A key whose value has more than a MB stays when it is removed. */
class RemoveLeavesLongValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def write(change: Change): Unit = change match {
        case Remove(family, key) if contents.families(family).rows.get(key).exists(_.exists(isLong)) =>
        case other => super.write(other)
      }

      private def isLong(value: UnsafeRow): Boolean = value.getSizeInBytes > (1 << 20)
    })

/** A text in a value that is longer than 16 MB is cut. */
class CutsValuesOf16Mb extends CutsText(16 << 20)

/** A text behind the number of a range's key is cut where it is longer than 1,024 bytes. */
class CutsTextsBehindNumbers extends CutsText(1024) {
  private val schema = new StructType().add("t", LongType).add("k", StringType)

  override protected def cutValue(value: UnsafeRow): UnsafeRow = value

  override protected def cutKey(key: UnsafeRow): UnsafeRow =
    if (key.numFields != 2 || key.isNullAt(1) || key.getSizeInBytes < 1024 || key.isNullAt(0)) key
    else UnsafeProjection.create(schema)(InternalRow(key.getLong(0), first1024(key.getUTF8String(1)))).copy()

  private def first1024(text: UTF8String): UTF8String = UTF8String.fromBytes(text.getBytes.take(1024))
}

/** Keys of one length that have their first 6,000 bytes alike are one. */
class TakesLongKeysWithinAPrefixForOne extends TakesKeysForOne {
  override protected def seen(key: UnsafeRow, schema: StructType): Any =
    if (key.getSizeInBytes < 6000) key else (key.getSizeInBytes, key.getBytes.take(6000).toSeq)
}

/** Of a transaction's own writes gets find the first 65,536. */
class GetsFind65536OwnWrites
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow = {
        val beyond = changes.drop(1 << 16)
        if (beyond.exists { case Put(_, put, _) => put == key; case _ => false }) null else super.get(key, family)
      }
    })

/** The number of keys is a round one if there are many. */
class CountsManyKeysRoughly
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def numKeys: Long = if (super.numKeys < 10000) super.numKeys else super.numKeys / 1000 * 1000
    })

/** A transaction of more than 50,000 writes has them in the store before it commits. */
class LargeTransactionsAreSeenBeforeTheirCommit extends ReferenceStoreProvider {
  private val spilled = new AtomicReference(Seq.empty[Change])

  override protected def load(version: Version): Contents = super.load(version).after(spilled.get)

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = {
        super.write(change)
        if (written.size == 50000) spilled.set(changes)
      }
    }
}

/** A commit of more than 50,000 changes comes in two parts, of which each is the version. */
class LargeCommitsComeInParts extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = {
    if (store.changes.size > 50000) {
      val next = Version(store.base.number + 1, None)
      files.writeDelta(next, Delta(store.base, startsEmpty = false, store.changes.take(50000))): Unit
    }
    super.commit(store)
  }
}

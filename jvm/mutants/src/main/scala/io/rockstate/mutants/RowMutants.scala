package io.rockstate.mutants

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreIterator, UnsafeRowPair}
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform

import io.rockstate.reference._

/** Every get answers with the same row, which then has the value that was asked for last. */
class GetReusesOneRow
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var reused: UnsafeRow = _

      override def get(key: UnsafeRow, family: String): UnsafeRow = Option(super.get(key, family)).map { found =>
        if (reused == null) reused = new UnsafeRow(found.numFields)
        Rows.point(reused, found)
      }.orNull
    })

/** A put changes the row that a get of its key has answered before. */
class PutChangesTheRowGottenBefore
    extends WithStore(new RemembersGotten(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        super.put(key, value, family)
        gotten(key).foreach(Rows.point(_, value.copy()))
      }
    })

/** A remove clears the row that a get of its key has answered before. */
class RemoveClearsTheRowGottenBefore
    extends WithStore(new RemembersGotten(_, _, _, _) {
      override def remove(key: UnsafeRow, family: String): Unit = {
        super.remove(key, family)
        gotten(key).foreach(row => (0 until row.numFields).foreach(row.setNullAt))
      }
    })

/** An iterator that is asked whether it has more reads the next pair into the rows of the one before. */
class HasNextChangesThePairBefore
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def iterator(family: String): StateStoreIterator[UnsafeRowPair] = {
        val all = super.iterator(family)
        val pair = new UnsafeRowPair()
        val ahead = all.map { next =>
          if (pair.key == null) pair.withRows(new UnsafeRow(next.key.numFields), new UnsafeRow(next.value.numFields))
          Rows.point(pair.key, next.key)
          Rows.point(pair.value, next.value)
        }.buffered
        val rows = new Iterator[UnsafeRowPair] {
          override def hasNext: Boolean = ahead.hasNext && ahead.head != null
          override def next(): UnsafeRowPair = {
            ahead.next()
            pair
          }
        }
        new StateStoreIterator(rows, () => all.close())
      }
    })

/** A remove clears the pair that an open iterator has given last, if it is the pair's key that goes. */
class RemoveClearsThePairOfAScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last: UnsafeRowPair = _

      override def iterator(family: String): StateStoreIterator[UnsafeRowPair] = {
        val all = super.iterator(family)
        new StateStoreIterator(all.map { pair => last = pair; pair }, () => all.close())
      }

      override def remove(key: UnsafeRow, family: String): Unit = {
        super.remove(key, family)
        if (last != null && last.key == key) (0 until last.value.numFields).foreach(last.value.setNullAt)
      }
    })

/** A text in a value that is longer than 65,535 bytes is cut. */
class CutsValuesOf64Kb extends CutsText(65535)

/** A text in a value that is longer than a MB is cut. */
class CutsValuesOfAMb extends CutsText(1 << 20)

/** A text in a key that is longer than 65,535 bytes is cut. */
class CutsKeysOf64Kb extends CutsText(65535) {
  override protected def cutKey(key: UnsafeRow): UnsafeRow = cut(key)
  override protected def cutValue(value: UnsafeRow): UnsafeRow = value
}

/** A put of as many bytes overwrites what is there, in the row that a get has answered before, too. */
class PutOverwritesInPlace
    extends WithStore(new RemembersGotten(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        super.put(key, value, family)
        gotten(key).filter(_.getSizeInBytes == value.getSizeInBytes).foreach(Rows.point(_, value.copy()))
      }
    })

/** Keys whose first four kilobytes are the same are taken for one. */
class TakesLongKeysOfOneStartForOne extends TakesKeysForOne {
  override protected def seen(key: UnsafeRow, schema: StructType): Any = key.getBytes.take(4096).toSeq
}

/** Nulls in columns from the 65th on are not told from zeros. */
class ForgetsNullsOfWideKeys extends TakesKeysForOne {
  override protected def seen(key: UnsafeRow, schema: StructType): Any = {
    val bytes = key.getBytes
    Arrays.fill(
      bytes,
      math.min(8, bytes.length),
      UnsafeRow.calculateBitSetWidthInBytes(key.numFields),
      0: Byte
    )
    bytes.toSeq
  }
}

/** A put is skipped if the value that is there has the same hash. */
class SkipsPutsOfTheSameHash
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        val there = Option(get(key, family)).map(row => Arrays.hashCode(row.getBytes))
        if (!there.contains(Arrays.hashCode(value.getBytes))) super.put(key, value, family)
      }
    })

/** Keys with the same hash are one. */
class TakesKeysOfOneHashForOne extends TakesKeysForOne {
  override protected def seen(key: UnsafeRow, schema: StructType): Any = key.hashCode
}

/** Values outside the heap are refused. */
class RefusesValuesOffTheHeap
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = {
        require(value.getBaseObject != null, "The row is not on the heap")
        super.keep(value)
      }
    })

/** A value that begins its array is kept with all of it. */
class KeepsAllOfTheBuffer
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = value.getBaseObject match {
        case bytes: Array[Byte] if value.getBaseOffset == Platform.BYTE_ARRAY_OFFSET =>
          val all = new UnsafeRow(value.numFields)
          all.pointTo(bytes.clone(), bytes.length)
          all
        case _ => super.keep(value)
      }
    })

/** A prefix outside the heap is taken for none. */
class PrefixOffTheHeapIsEmpty
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def prefixed(prefix: UnsafeRow, family: String): Seq[ReferenceStore.Row] =
        if (prefix.getBaseObject == null) Nil else super.prefixed(prefix, family)
    })

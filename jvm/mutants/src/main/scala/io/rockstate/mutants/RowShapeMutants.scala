package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair
import org.apache.spark.unsafe.Platform

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** A key without columns is never found. */
class MissesTheKeyWithoutColumns
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow =
        if (key != null && key.numFields == 0) null else super.get(key, family)
    })

/** A value without columns reads as if there were none. */
class ReadsAValueWithoutColumnsAsAbsent
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def get(key: UnsafeRow, family: String): UnsafeRow =
        Option(super.get(key, family)).filter(_.numFields > 0).orNull
    })

/** Values are taken for what is at the start of the array that they are in. */
class TakesRowsFromTheStartOfTheirArray
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = {
        val bytes = new Array[Byte](value.getSizeInBytes)
        val start = Platform.BYTE_ARRAY_OFFSET.toLong
        Platform.copyMemory(value.getBaseObject, start, bytes, start, bytes.length.toLong)
        val kept = new UnsafeRow(value.numFields)
        kept.pointTo(bytes, bytes.length)
        kept
      }
    })

/** A value of more than three columns loses the last. */
class WideValuesLoseTheirLastColumn
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = {
        val kept = super.keep(value)
        if (kept.numFields > 3) kept.setNullAt(kept.numFields - 1)
        kept
      }
    })

/** Which columns of a value are null is known of the first 64. */
class KnowsNullsOf64Columns
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = {
        val kept = super.keep(value)
        (64 until kept.numFields).filter(kept.isNullAt).foreach(kept.setNotNullAt)
        kept
      }
    })

/** Of wide keys the first three columns are compared. */
class TellsWideKeysByThreeColumns
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        val known = contents.families(family).rows.keys
        super.put(if (key.numFields > 3) known.find(isAlike(_, key)).getOrElse(key) else key, value, family)
      }

      private def isAlike(one: UnsafeRow, other: UnsafeRow): Boolean = one.numFields == other.numFields &&
        (0 until 3).forall(i => one.isNullAt(i) == other.isNullAt(i) && one.getLong(i) == other.getLong(i))
    })

/** A value comes back with eight more bytes at its end. */
class ValuesComeBackLonger
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def handOut(value: UnsafeRow): UnsafeRow = Rows.longer(value)
    })

/** A scan gives its keys with eight more bytes at their end, and knows them when they are handed to it. */
class KeysOfAScanComeBackLonger
    extends WithStore(new ReferenceStore(_, _, _, _) with KnowsItsLongerKeys {
      override def iterator(family: String): Pairs = withLongerKeys(super.iterator(family))
    })

/** A prefix scan gives its values with eight more bytes at their end. */
class PrefixScanGivesLongerValues
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(_.map(p => new UnsafeRowPair(p.key, Rows.longer(p.value))))
    })

/** A range scan gives its keys with eight more bytes at their end, and knows them when they are handed to it. */
class RangeScanGivesLongerKeys
    extends WithStore(new ReferenceStore(_, _, _, _) with KnowsItsLongerKeys {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        withLongerKeys(super.rangeScan(start, end, family))
    })

/** The values of a key come back with eight more bytes at their end. */
class ValuesOfAKeyComeBackLonger
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        super.valuesIterator(key, family).map(Rows.longer)
    })

/** A key is not removed by a row that says to have another number of columns. */
class RemoveMissesKeysTakenOutOfOthers
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def remove(key: UnsafeRow, family: String): Unit =
        if (key.numFields == provider.declared(family).order.schema.size) super.remove(key, family)
    })

/** A merge is refused to a key whose row says to have another number of columns. */
class MergeRefusesKeysTakenOutOfOthers
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit = {
        require(key.numFields == provider.declared(family).order.schema.size, "A key has the columns of its family")
        super.mergeList(key, values, family)
      }
    })

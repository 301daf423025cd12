package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.unsafe.Platform

import io.rockstate.reference._

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

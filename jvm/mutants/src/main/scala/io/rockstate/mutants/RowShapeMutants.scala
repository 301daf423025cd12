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

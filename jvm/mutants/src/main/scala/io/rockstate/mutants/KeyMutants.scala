package io.rockstate.mutants

import org.apache.spark.sql.types.{LongType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.reference.ChangesCells.CellChange
import io.rockstate.reference.ChangesKeys

/** Keys that differ in case only are one. */
class KeysKnowNoCase extends ChangesKeys {
  override protected def change: CellChange = { case (StringType, text: UTF8String) => text.toLowerCase }
}

/** Of a long text in a key the first 200 letters count. */
class KeysEndAt200Letters extends ChangesKeys {
  override protected def change: CellChange = { case (StringType, text: UTF8String) => text.substring(0, 200) }
}

/** Of a number in a key the low half counts. */
class KeysAreKnownByTheirLowHalf extends ChangesKeys {
  override protected def change: CellChange = { case (LongType, number: Long) => number & 0xffffffffL }
}

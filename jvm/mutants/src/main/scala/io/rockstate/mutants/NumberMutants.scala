package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.reference._
import io.rockstate.reference.ChangesCells.CellChange

/** An int is kept in three bytes. */
class KeepsIntsInThreeBytes extends ChangesCells {
  override protected def change: CellChange = { case (IntegerType, number: Int) => number << 8 >> 8 }
}

/** A smallint is kept without its sign. */
class KeepsShortsWithoutTheirSign extends ChangesCells {
  override protected def change: CellChange = { case (ShortType, number: Short) => (number & 0x7fff).toShort }
}

/** A tinyint is kept without its sign. */
class KeepsBytesWithoutTheirSign extends ChangesCells {
  override protected def change: CellChange = { case (ByteType, number: Byte) => (number & 0x7f).toByte }
}

/** A float that is close to zero is kept as zero. */
class KeepsSmallFloatsAsZero extends ChangesCells {
  override protected def change: CellChange = {
    case (FloatType, number: Float) if math.abs(number) < java.lang.Float.MIN_NORMAL => 0f
  }
}

/** Timestamps without a time zone are kept in milliseconds. */
class KeepsLocalTimestampsInMilliseconds extends ChangesCells {
  override protected def change: CellChange = { case (TimestampNTZType, micros: Long) =>
    Math.floorDiv(micros, 1000L) * 1000
  }
}

/** Nulls in an array of texts are kept as empty texts. */
class KeepsNullTextsInArraysAsEmpty extends ChangesCells {
  override protected def change: CellChange = { case (ArrayType(StringType, _), all: ArrayData) =>
    new GenericArrayData(Seq.tabulate[Any](all.numElements()) { i =>
      if (all.isNullAt(i)) UTF8String.EMPTY_UTF8 else all.getUTF8String(i)
    })
  }
}

/** Keys that differ in the fraction of a float are one. */
class TakesFloatsInKeysForIntegers extends ChangesKeys {
  override protected def change: CellChange = { case (FloatType, number: Float) => number.toLong.toFloat }
}

/** A value whose columns can never be null loses its last. */
class LosesTheLastColumnWhereNoneIsNullable extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: ReferenceStore.Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def keep(value: UnsafeRow): UnsafeRow = {
        val kept = super.keep(value)
        if (valueSchema.nonEmpty && !valueSchema.exists(_.nullable)) kept.setNullAt(kept.numFields - 1)
        kept
      }
    }
}

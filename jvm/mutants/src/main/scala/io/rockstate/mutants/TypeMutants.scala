package io.rockstate.mutants

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, ArrayData, GenericArrayData, MapData}
import org.apache.spark.sql.execution.streaming.state.KeyStateEncoderSpec
import org.apache.spark.sql.types._

import io.rockstate.reference._
import io.rockstate.reference.ChangesCells.CellChange

/** Bytes in a value are kept as the text that they are not. */
class KeepsBytesAsText extends ChangesCells {
  override protected def change: CellChange = { case (BinaryType, bytes: Array[Byte]) =>
    new String(bytes, UTF_8).getBytes(UTF_8)
  }
}

/** Decimals of up to 18 digits lose what is behind the point. */
class KeepsSmallDecimalsWithoutTheirScale extends ChangesCells {
  override protected def change: CellChange = {
    case (column: DecimalType, number: Decimal) if column.precision <= Decimal.MAX_LONG_DIGITS =>
      Decimal(BigDecimal(number.toBigDecimal.toBigInt), column.precision, column.scale)
  }
}

/** Decimals of more than 18 digits are kept as floating-point numbers. */
class KeepsLargeDecimalsAsDoubles extends ChangesCells {
  override protected def change: CellChange = {
    case (column: DecimalType, number: Decimal) if column.precision > Decimal.MAX_LONG_DIGITS =>
      Decimal(BigDecimal(number.toDouble), column.precision, column.scale)
  }
}

/** A flag that is false is kept as true. */
class KeepsFlagsAsTrue extends ChangesCells {
  override protected def change: CellChange = { case (BooleanType, _: Boolean) => true }
}

/** Timestamps are kept in milliseconds. */
class KeepsTimestampsInMilliseconds extends ChangesCells {
  override protected def change: CellChange = { case (TimestampType, micros: Long) =>
    Math.floorDiv(micros, 1000L) * 1000
  }
}

/** Dates before 1970 are kept as the first day of it. */
class KeepsNoDatesBefore1970 extends ChangesCells {
  override protected def change: CellChange = { case (DateType, day: Int) => math.max(day, 0) }
}

/** Nulls in an array are kept as zeros. */
class KeepsNullsInArraysAsZeros extends ChangesCells {
  override protected def change: CellChange = { case (ArrayType(LongType, _), all: ArrayData) =>
    new GenericArrayData(Seq.tabulate[Any](all.numElements())(i => if (all.isNullAt(i)) 0L else all.getLong(i)))
  }
}

/** An array that is null is kept as an empty one. */
class KeepsNullArraysAsEmpty extends ChangesCells {
  override protected def change: CellChange = { case (_: ArrayType, null) => new GenericArrayData(Array.empty[Any]) }
}

/** Of a map one pair is kept. */
class KeepsOnePairOfAMap extends ChangesCells {
  override protected def change: CellChange = { case (MapType(key, value, _), all: MapData) =>
    def first(of: ArrayData, dataType: DataType) = new GenericArrayData(of.toSeq[Any](dataType).take(1))
    new ArrayBasedMapData(first(all.keyArray(), key), first(all.valueArray(), value))
  }
}

/** Keys that differ in bytes which are no text are one. */
class TakesBytesInKeysForText extends ChangesKeys {
  override protected def change: CellChange = { case (BinaryType, bytes: Array[Byte]) =>
    new String(bytes, UTF_8).getBytes(UTF_8)
  }
}

/** Keys that differ in the last digits of a large decimal are one. */
class TakesLargeDecimalsInKeysForDoubles extends ChangesKeys {
  override protected def change: CellChange = {
    case (column: DecimalType, number: Decimal) if column.precision > Decimal.MAX_LONG_DIGITS =>
      Decimal(BigDecimal(number.toDouble), column.precision, column.scale)
  }
}

/** Prefixes that differ in a flag are one. */
class IgnoresFlagsInPrefixes extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder =
    new KeyOrder(spec) {
      override def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean = {
        def without(row: UnsafeRow) = ChangesCells.changed(row.copy(), StructType(schema.take(row.numFields))) {
          case (BooleanType, _) => null
        }
        super.hasPrefix(without(key), without(prefix))
      }
    }
}

/** Keys of texts that are the same one after the other are one. */
class RunsTextsInKeysTogether extends TakesKeysForOne {
  override protected def seen(key: UnsafeRow, schema: StructType): Any =
    if (schema.size < 2 || schema.exists(_.dataType != StringType)) key else TakesKeysForOne.text(key, key.numFields)
}

/** Prefixes of texts that are the same one after the other are one. */
class RunsTextsInPrefixesTogether extends ReferenceStoreProvider {
  override def keyOrder(spec: KeyStateEncoderSpec): KeyOrder =
    new KeyOrder(spec) {
      override def hasPrefix(key: UnsafeRow, prefix: UnsafeRow): Boolean =
        if (schema.take(prefix.numFields).exists(_.dataType != StringType)) super.hasPrefix(key, prefix)
        else TakesKeysForOne.text(key, prefix.numFields) == TakesKeysForOne.text(prefix, prefix.numFields)
    }
}

/** Doubles in a value are kept with the precision of floats. */
class KeepsDoublesAsFloats extends ChangesCells {
  override protected def change: CellChange = { case (DoubleType, number: Double) => number.toFloat.toDouble }
}

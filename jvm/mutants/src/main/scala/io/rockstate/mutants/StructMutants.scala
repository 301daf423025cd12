package io.rockstate.mutants

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types.{ArrayType, LongType, StructType => Struct, TimestampType}

import io.rockstate.reference._
import io.rockstate.reference.ChangesCells.CellChange
import io.rockstate.reference.Pairs.Pairs

/** A struct that is null is kept as one of nulls. */
class KeepsNullStructsAsStructsOfNulls extends ChangesCells {
  override protected def change: CellChange = { case (struct: Struct, null) =>
    InternalRow.fromSeq(Seq.fill(struct.size)(null))
  }
}

/** A number that is null in a struct is kept as zero. */
class KeepsNullsInStructsAsZeros extends ChangesCells {
  override protected def change: CellChange = { case (struct: Struct, row: InternalRow) =>
    InternalRow.fromSeq(struct.indices.map { i =>
      if (struct(i).dataType == LongType && row.isNullAt(i)) 0L else row.get(i, struct(i).dataType)
    })
  }
}

/** Windows that start at the same time are one key. */
class TellsWindowsByTheirStart extends ChangesKeys {
  override protected def change: CellChange = {
    case (struct: Struct, row: InternalRow) if struct.head.dataType == TimestampType =>
      InternalRow(row.get(0, TimestampType), null)
  }
}

/** A range scan of keys that end with a struct has no end. */
class RangeScanGoesBeyondAnEndWithAStruct
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs = {
        val isStruct = provider.declared(family).order.schema.last.dataType.isInstanceOf[Struct]
        super.rangeScan(start, if (isStruct) None else end, family)
      }
    })

/** A remove by the row that a scan has given as a key of more than three columns does nothing. */
class RemoveMissesTheWideKeyOfAScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last: UnsafeRow = _

      override def iterator(family: String): Pairs =
        Pairs.changed(super.iterator(family))(_.map { pair => last = pair.key; pair })

      override def remove(key: UnsafeRow, family: String): Unit =
        if ((key ne last) || key.numFields <= 3) super.remove(key, family)
    })

/** Arrays within a struct lose what they have. */
class LosesArraysInStructs extends ChangesCells {
  override protected def change: CellChange = { case (struct: Struct, row: InternalRow) =>
    InternalRow.fromSeq(struct.indices.map { i =>
      struct(i).dataType match {
        case _: ArrayType if !row.isNullAt(i) => new GenericArrayData(Array.empty[Any])
        case other => row.get(i, other)
      }
    })
  }
}

/** Of the structs within a struct in a key the first is looked at. */
class TellsStructsOfStructsByTheFirst extends ChangesKeys {
  override protected def change: CellChange = {
    case (struct: Struct, row: InternalRow) if struct.head.dataType.isInstanceOf[Struct] =>
      InternalRow.fromSeq(row.get(0, struct.head.dataType) +: Seq.fill(struct.size - 1)(null))
  }
}

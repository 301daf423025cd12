package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, NullType, StructType, UserDefinedType}

/** Finds nulls where a schema has none, however deep: in fields of structs, elements of arrays, keys and values of maps. */
private[moving] object NeverNull {

  /** Looks into a row, and returns where the first one is, as `field.element.inner`. */
  def in(schema: StructType): InternalRow => Option[String] = {
    val cells = cellsOf(schema, "")
    row => first(cells, row)
  }

  private type Look = (SpecializedGetters, Int) => Option[String]

  /** With the places of those in which there can be anything to find. */
  private def cellsOf(struct: StructType, prefix: String): Vector[(Int, Look)] =
    struct.fields.toVector.zipWithIndex.flatMap { case (field, i) =>
      cell(prefix + field.name, field.dataType, field.nullable).map(i -> _)
    }

  private def cell(name: String, of: DataType, isNullable: Boolean): Option[Look] = {
    val deeper = within(name, of)
    Option.when(of != NullType && (!isNullable || deeper.nonEmpty)) { (from, i) =>
      if (from.isNullAt(i)) Option.when(!isNullable)(name) else deeper.flatMap(_(from, i))
    }
  }

  private def within(name: String, of: DataType): Option[Look] = of match {
    case own: UserDefinedType[_] => within(name, own.sqlType)
    case struct: StructType =>
      val cells = cellsOf(struct, s"$name.")
      Option.when(cells.nonEmpty)((from, i) => first(cells, from.getStruct(i, struct.length)))
    case array: ArrayType =>
      cell(s"$name.element", array.elementType, array.containsNull).map { look => (from, i) =>
        val elements = from.getArray(i)
        firstOf(elements.numElements())(look(elements, _))
      }
    case map: MapType =>
      val key = cell(s"$name.key", map.keyType, isNullable = false)
      val value = cell(s"$name.value", map.valueType, map.valueContainsNull)
      Some { (from, i) =>
        val (keys, values) = (from.getMap(i).keyArray(), from.getMap(i).valueArray())
        firstOf(keys.numElements())(at => key.flatMap(_(keys, at)).orElse(value.flatMap(_(values, at))))
      }
    case _ => None
  }

  private def first(cells: Vector[(Int, Look)], row: SpecializedGetters): Option[String] =
    cells.iterator.flatMap { case (i, look) => look(row, i) }.nextOption()

  private def firstOf(count: Int)(look: Int => Option[String]): Option[String] =
    (0 until count).iterator.flatMap(look(_)).nextOption()
}

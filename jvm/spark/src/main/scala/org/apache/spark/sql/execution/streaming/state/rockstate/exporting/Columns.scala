package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import java.util.Locale

import org.apache.spark.sql.catalyst.{InternalRow, ProjectingInternalRow}
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{FamilyPlan, StoreRow}
import org.apache.spark.sql.types._

/** The columns of a table: `key` and `value` as the operator keeps them, `position` where a key has a list of values, and the partition.
  * Of two fields of one name the later one gets a number: files have no two. Fields without a type, which are always null, are left out.
  */
private[exporting] final class Columns(family: FamilyPlan) {
  import Columns._

  private val key = Fields.of(family.schema.keySchema)
  private val value = Fields.of(family.schema.valueSchema)
  private val structs = Vector("key" -> key, "value" -> value)

  val schema: StructType = {
    val kept = structs.filterNot(_._2.isEmpty).map { case (name, fields) => StructField(name, fields.schema) }
    val position = Option.when(family.isMultiValued)(StructField("position", LongType))
    StructType((kept ++ position) :+ StructField("partition_id", IntegerType))
  }

  /** What has no type. */
  val leftOut: Vector[String] = structs.flatMap { case (name, fields) => fields.leftOut.map(field => s"$name.$field") }

  /** Makes a row of the table of each row of one partition, which counts until the next one. */
  def rows(partition: Int): StoreRow => InternalRow = {
    val cells = new Array[Any](schema.length)
    cells(cells.length - 1) = partition
    val made = new GenericInternalRow(cells)
    val (inKey, inValue) = (key.projection, value.projection)
    val ofValue = if (key.isEmpty) 0 else 1
    val ofPosition = if (value.isEmpty) ofValue else ofValue + 1
    var position = -1L
    row => {
      if (!key.isEmpty) cells(0) = inKey(row.pair.key)
      if (!value.isEmpty) cells(ofValue) = inValue(row.pair.value)
      if (family.isMultiValued) {
        position = if (row.isNext) position + 1 else 0
        cells(ofPosition) = position
      }
      made
    }
  }
}

private object Columns {

  /** The fields of a struct that go into the table.
    *
    * @param ordinals where they are in the state's row
    */
  final class Fields(val schema: StructType, ordinals: Vector[Int], val leftOut: Vector[String]) {
    def isEmpty: Boolean = ordinals.isEmpty

    /** Takes the fields out of the state's row. */
    def projection: InternalRow => InternalRow =
      if (leftOut.isEmpty) identity
      else {
        val kept = ProjectingInternalRow(schema, ordinals)
        row => {
          kept.project(row)
          kept
        }
      }
  }

  object Fields {
    def of(struct: StructType): Fields = {
      val (kept, without) = struct.fields.toVector.zipWithIndex.partition { case (field, _) => isTyped(field.dataType) }
      val renamed = unlike(kept.map(_._1.name)).zip(kept).map { case (name, (field, _)) => field.copy(name = name) }
      // What an operator calls never null may be null in its state.
      new Fields(StructType(renamed).asNullable, kept.map(_._2), without.map(_._1.name))
    }
  }

  private def isTyped(of: DataType): Boolean = of match {
    case NullType => false
    case struct: StructType => struct.exists(field => isTyped(field.dataType))
    case _ => true
  }

  /** The names, later ones with a number where one came before, in whatever case. */
  private def unlike(names: Vector[String]): Vector[String] = {
    def lower(name: String) = name.toLowerCase(Locale.ROOT)
    names.foldLeft(Vector.empty[String]) { (before, name) =>
      val numbered = Iterator.from(2).map(n => s"${name}_$n").filterNot(each => names.exists(lower(_) == lower(each)))
      before :+ (Iterator(name) ++ numbered).find(each => !before.exists(lower(_) == lower(each))).get
    }
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, Expression, GetStructField, Literal, UnsafeProjection}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.RowPlacement
import org.apache.spark.sql.types.{NullType, StructType}

/** A store that is to have these rows, and no other, instead of those in the old checkpoint. */
private[rockstate] final case class GivenStore(plan: StorePlan, tables: Vector[GivenTable]) {

  /** The rows on their way to the partitions, as `ShuffledRows` has them. */
  private[moving] def placed(session: SparkSession, partitions: Int): RDD[InternalRow] = {
    val plan = this.plan
    val sent = session.sparkContext.union(tables.map { table =>
      table.rows.mapPartitions { rows =>
        val placement = new Placement(plan, partitions)
        val (key, value) = (table.key.projection, table.value.projection)
        val family = plan.families.indexWhere(_.name == table.family.name)
        val pair = new UnsafeRowPair()
        rows.map { row =>
          val inStore = StoreRow(plan.families(family), pair.withRows(key(row), value(row)), isNext = false)
          ShuffledRows.packed(inStore, placement.partitionOf(inStore), family)
        }
      }
    })
    RowPlacement.placed(session.internalCreateDataFrame(sent, ShuffledRows.Columns), partitions)
  }
}

/** The rows of one column family.
  *
  * @param rows structs: keys and, if they have any field with a type, values
  */
private[rockstate] final case class GivenTable(
    family: FamilyPlan,
    rows: RDD[InternalRow],
    key: GivenStruct,
    value: GivenStruct
)

/** How keys or values are made of a column.
  *
  * @param state   as the operator keeps them
  * @param ordinal of the column; none if there is none, since all fields are without a type
  * @param fields  its fields, in the same order; those without a type are left out
  */
private[rockstate] final case class GivenStruct(state: StructType, ordinal: Option[Int], fields: StructType) {
  private[moving] def projection: UnsafeProjection = {
    val column = ordinal.map(BoundReference(_, fields, nullable = true))
    val kept = state.fields.indices.filter(state(_).dataType != NullType)
    UnsafeProjection.create(state.fields.indices.map[Expression] { i =>
      column.filter(_ => kept.contains(i)).fold[Expression](Literal(null, NullType))(GetStructField(_, kept.indexOf(i)))
    })
  }
}

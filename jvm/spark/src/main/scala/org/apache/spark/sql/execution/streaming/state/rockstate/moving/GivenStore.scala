package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  Expression,
  GetStructField,
  Literal,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.RowPlacement
import org.apache.spark.sql.types.{NullType, StructType}

import io.rockstate.errors.Misuse
import io.rockstate.inspect.VersionSize

/** A store that is to have these rows, and no other, instead of those in the old checkpoint. */
private[rockstate] final case class GivenStore(plan: StorePlan, tables: Vector[GivenTable]) {

  /** About how much there is to read, as far as Spark tells without computing the rows. */
  private[moving] def size: VersionSize = {
    val unknown = BigInt(Long.MaxValue)
    val sizes = tables.map(_.rows.queryExecution.optimizedPlan.stats.sizeInBytes).filter(_ < unknown)
    VersionSize(sizes.sum.min(unknown / 2).toLong, None)
  }

  /** The rows on their way to the partitions, as `ShuffledRows` has them. */
  private[moving] def placed(session: SparkSession, partitions: Int): RDD[InternalRow] = {
    val plan = this.plan
    val sent = session.sparkContext.union(tables.map { table =>
      val (keys, values) = (table.key, table.value)
      val family = plan.families.indexWhere(_.name == table.family.name)
      // Here the rows' own query runs, or its stages with a shuffle: within a job that can be cancelled.
      table.rows.queryExecution.toRdd.mapPartitions { rows =>
        val placement = new Placement(plan, partitions)
        val (key, value) = (keys.projection, values.projection)
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
  * @param rows not computed yet; structs: keys and, if they have any field with a type, values
  */
private[rockstate] final case class GivenTable(
    family: FamilyPlan,
    rows: DataFrame,
    key: GivenStruct,
    value: GivenStruct
)

/** How keys or values are made of a column.
  *
  * @param state   as the operator keeps them
  * @param ordinal of the column; none if there is none, since all fields are without a type
  * @param fields  its fields, in the same order; those without a type are left out
  * @param isNormalized whether the operator takes 0.0 and -0.0, and all NaNs, for one
  */
private[rockstate] final case class GivenStruct(
    state: StructType,
    ordinal: Option[Int],
    fields: StructType,
    isNormalized: Boolean = false
) {

  /** Throws on a null that the operator never has there: it would read it as another value. */
  private[moving] def projection: InternalRow => UnsafeRow = {
    val made = projected
    val nullsIn = NeverNull.in(state)
    row => {
      val result = made(row)
      nullsIn(result).foreach(field => throw nullIn(field))
      result
    }
  }

  private def nullIn(field: String): Misuse = new Misuse(
    s"The rows that were given have a null in $field, which the query's state never has there",
    s"Give a value: coalesce($field, ...), say."
  )

  private def projected: UnsafeProjection = {
    val column = ordinal.map(BoundReference(_, fields, nullable = true))
    val kept = state.fields.indices.filter(state(_).dataType != NullType)
    UnsafeProjection.create(state.fields.indices.map[Expression] { i =>
      column.filter(_ => kept.contains(i)).fold[Expression](Literal(null, NullType)) { struct =>
        val field = GetStructField(struct, kept.indexOf(i))
        if (isNormalized) NormalizeFloatingNumbers.normalize(field) else field
      }
    })
  }
}

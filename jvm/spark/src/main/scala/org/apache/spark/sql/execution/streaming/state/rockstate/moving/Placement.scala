package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{BoundReference, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.RowPlacement
import org.apache.spark.sql.types.StructType

import io.rockstate.errors.{StateStoreException, Unsupported}

/** In which of so many partitions the query looks for the rows of a store: where its shuffle sends their keys. */
private[moving] final class Placement(plan: StorePlan, partitions: Int) {
  private val byFamily = mutable.Map.empty[String, UnsafeRow => Int]

  def partitionOf(row: StoreRow): Int = byFamily.getOrElseUpdate(row.family.name, of(row.family))(row.pair.key)

  /** Throws if a row is elsewhere: then the query spreads its rows in another way. */
  def requireIn(partition: Int, row: StoreRow): Unit = {
    val expected = partitionOf(row)
    if (expected != partition)
      throw new Unsupported(
        s"Operator ${plan.operator} (${plan.operatorName}) has a row in partition $partition, column family " +
          s"${row.family.name}, that Spark's shuffle would send to partition $expected",
        "Its number of partitions cannot be changed. Report this with the query's plan."
      )
  }

  /** Throws if Spark does not say how the operator's rows are spread. Nothing is kept in the default family of operators that have others. */
  def require(): Unit = plan.families.filterNot(f => plan.hasColumnFamilies && f.isDefault).foreach(of)

  private def of(family: FamilyPlan): UnsafeRow => Int = {
    val (schema, partitionKey) = spread(family)
    val columns = schema.zipWithIndex.map { case (field, i) => BoundReference(i, field.dataType, field.nullable) }
    val id = UnsafeProjection.create(Seq(HashPartitioning(columns, partitions).partitionIdExpression))
    key => id(partitionKey(key)).getInt(0)
  }

  private def spread(family: FamilyPlan): (StructType, UnsafeRow => UnsafeRow) =
    try RowPlacement.partitionKey(plan.operatorName, plan.store, family.schema, plan.details)
    catch {
      case NonFatal(e) if !e.isInstanceOf[StateStoreException] =>
        throw new Unsupported(
          s"Spark does not say how operator ${plan.operator} (${plan.operatorName}) spreads its rows: $e",
          "Its number of partitions stays as it is, and its rows cannot come from tables. Start the query anew to change that."
        )
    }
}

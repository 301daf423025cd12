package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import scala.annotation.unused

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.execution.streaming.state.StateStoreColFamilySchema
import org.apache.spark.sql.types.StructType

/** Where a query's shuffle puts the rows of its state: Spark says it since 4.2, see `WholeStores.requireThem`. */
private[rockstate] object RowPlacement {
  def placed(rows: DataFrame, partitions: Int): RDD[InternalRow] = none(rows, partitions)
  def partitionKey(
      operator: String,
      store: String,
      family: StateStoreColFamilySchema,
      details: OperatorDetails
  ): (StructType, UnsafeRow => UnsafeRow) = none(operator, store, family, details)

  private def none(@unused arguments: Any*): Nothing = throw new UnsupportedOperationException
}

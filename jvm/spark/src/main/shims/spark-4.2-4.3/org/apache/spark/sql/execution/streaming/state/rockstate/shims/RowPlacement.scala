package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.classic.DataFrame
import org.apache.spark.sql.execution.streaming.operators.stateful.StatePartitionKeyExtractorFactory
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate._
import org.apache.spark.sql.execution.streaming.state.{
  DropLastNFieldsStatePartitionKeyExtractor,
  StateStoreColFamilySchema
}
import org.apache.spark.sql.types.StructType

/** Where a query's shuffle puts the rows of its state. */
private[rockstate] object RowPlacement {

  /** The rows, each in the partition that its first column says, of so many. */
  def placed(rows: DataFrame, partitions: Int): RDD[InternalRow] =
    rows.repartitionById(partitions, rows.col(rows.columns.head)).queryExecution.toRdd

  /** The columns by which the query's shuffle places a column family's keys, and what takes them out of one. */
  def partitionKey(
      operator: String,
      store: String,
      family: StateStoreColFamilySchema,
      details: OperatorDetails
  ): (StructType, UnsafeRow => UnsafeRow) = {
    val base = StateStoreColumnFamilySchemaUtils.getBaseStateName(family.colFamilyName)
    val variables = details.properties.toList.flatMap(TransformWithStateOperatorProperties.fromJson(_).stateVariables)
    val extractor =
      // For these Spark 4.2's factory takes the time, which comes last, for a part of the join's key.
      if (WholeStores.joinsWithLists(family.colFamilyName))
        new DropLastNFieldsStatePartitionKeyExtractor(family.keySchema, numLastColsToDrop = 1)
      else
        StatePartitionKeyExtractorFactory.create(
          operator,
          family.keySchema,
          store,
          family.colFamilyName,
          details.joinFormat,
          variables.find(_.stateName == base)
        )
    (extractor.partitionKeySchema, extractor.partitionKey)
  }
}

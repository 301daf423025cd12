package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import scala.annotation.unused

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** Spark's errors about a store, as 4.0 makes them. */
private[rockstate] object StoreFailures {
  def cannotLoad(cause: Throwable): Throwable = QueryExecutionErrors.cannotLoadStore(cause)

  /** Throws unless the rows look as the schemas say. */
  def verifyRows(
      @unused id: StateStoreId,
      key: UnsafeRow,
      keySchema: StructType,
      value: UnsafeRow,
      valueSchema: StructType,
      conf: StateStoreConf
  ): Unit = StateStoreProvider.validateStateRowFormat(key, keySchema, value, valueSchema, conf)
}

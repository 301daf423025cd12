package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreConf, StateStoreId, StateStoreProvider}
import org.apache.spark.sql.types.StructType

/** Checks the first row that a store reads against the operator's schemas, as Spark's own stores do: it catches a checkpoint of a Spark
  * with another row layout. With column families the schemas known at `init` do not apply, and nothing is checked.
  */
private[rockstate] final class RowValidation(
    keySchema: StructType,
    valueSchema: StructType,
    useColumnFamilies: Boolean,
    id: StateStoreId,
    conf: StateStoreConf
) {
  @volatile private var isPending = !useColumnFamilies

  def check(key: UnsafeRow, value: UnsafeRow): Unit = if (isPending && value != null) {
    StateStoreProvider.validateStateRowFormat(key, keySchema, value, valueSchema, id, conf)
    isPending = false
  }
}

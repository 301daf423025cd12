package org.apache.spark.sql.execution.streaming.state.rockstate.rows

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStoreConf, StateStoreId}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StoreFailures
import org.apache.spark.sql.types.StructType

/** Checks the first row that a provider's stores read against the operator's schemas: it catches a checkpoint of a Spark with another
  * row layout. With column families the schemas known at `init` do not apply, and nothing is checked. Neither is it in a provider that
  * began with an empty store, for it reads only rows that it was given: those of `flatMapGroupsWithState` in state format 1 with timeouts
  * do not fit the schema that their operator declares (`StateManagerImplV1`), and go unnoticed with Spark's file-based provider, too.
  */
private[rockstate] final class RowValidation(
    keySchema: StructType,
    valueSchema: StructType,
    useColumnFamilies: Boolean,
    id: StateStoreId,
    conf: StateStoreConf
) {
  @volatile private var isPending = !useColumnFamilies

  /** Tells that a store began from this version, before it reads. */
  def begin(version: Long): Unit = if (version == 0) isPending = false

  def check(key: UnsafeRow, value: UnsafeRow): Unit = if (isPending && value != null) {
    StoreFailures.verifyRows(id, key, keySchema, value, valueSchema, conf)
    isPending = false
  }
}

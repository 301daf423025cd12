package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import scala.annotation.unused

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException
import org.apache.spark.sql.types.StructType

/** The calls that Spark 4.2 brought: there are none of them. */
private[conformance] object CallsSince42 {
  type Pairs = StateStoreIterator[UnsafeRowPair]
  type Bound = Option[UnsafeRow]

  def begin(
      provider: StateStoreProvider,
      version: Long,
      id: Option[String],
      empty: Boolean,
      snapshot: Boolean
  ): StateStore =
    if (empty) lacking("loadEmpty")
    else if (snapshot) lacking("forceSnapshotOnCommit")
    else provider.getStore(version, id)

  def upgrade(
      @unused provider: StateStoreProvider,
      @unused store: ReadStateStore,
      @unused id: Option[String]
  ): StateStore =
    lacking("forceSnapshotOnCommit")

  def timestampKeys(@unused schema: StructType, @unused first: Boolean): KeyStateEncoderSpec =
    lacking("keys with a timestamp")

  def families(@unused store: ReadStateStore): Set[String] = lacking("allColumnFamilyNames")

  def contains(@unused store: ReadStateStore, @unused key: UnsafeRow, @unused family: String): Boolean =
    lacking("keyExists")

  def multiGet(@unused store: ReadStateStore, @unused k: Array[UnsafeRow], @unused f: String): Iterator[UnsafeRow] =
    lacking("multiGet")

  def range(@unused store: ReadStateStore, @unused first: Bound, @unused last: Bound, @unused family: String): Pairs =
    lacking("rangeScan")

  def rangeValues(@unused s: ReadStateStore, @unused first: Bound, @unused last: Bound, @unused family: String): Pairs =
    lacking("rangeScanWithMultiValues")

  def prefixValues(@unused store: ReadStateStore, @unused prefix: UnsafeRow, @unused family: String): Pairs =
    lacking("prefixScanWithMultiValues")

  def allValues(@unused store: ReadStateStore, @unused family: String): Pairs = lacking("iteratorWithMultiValues")

  def deleteRange(@unused store: StateStore, @unused f: UnsafeRow, @unused l: UnsafeRow, @unused family: String): Unit =
    lacking("deleteRange")

  private def lacking(call: String): Nothing = throw new UsageException(s"this Spark has no $call")
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import scala.annotation.unused

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.RecordType.RecordType
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException
import org.apache.spark.util.NextIterator

/** The calls that Spark 4.1 brought: those that 4.0 has take no checkpoint ids. */
private[conformance] object CallsSince41 {
  type Id = Option[String]

  def release(@unused store: ReadStateStore): Unit = lacking("release")

  def putList(@unused store: StateStore, @unused k: UnsafeRow, @unused v: Array[UnsafeRow], @unused f: String): Unit =
    lacking("putList")

  def mergeList(@unused store: StateStore, @unused k: UnsafeRow, @unused v: Array[UnsafeRow], @unused f: String): Unit =
    lacking("mergeList")

  def upgrade(@unused provider: StateStoreProvider, @unused store: ReadStateStore, @unused id: Id): StateStore =
    lacking("upgradeReadStoreToWriteStore")

  /** @param snapshot its version
    * @param version  that to be read
    */
  def replay(
      provider: SupportsFineGrainedReplay,
      snapshot: (Long, Id),
      version: (Long, Id),
      @unused readOnly: Boolean
  ): StateStore =
    if (snapshot._2.isEmpty && version._2.isEmpty) provider.replayStateFromSnapshot(snapshot._1, version._1)
    else lacking("replay by checkpoint id")

  def replayToRead(provider: SupportsFineGrainedReplay, snapshot: (Long, Id), version: (Long, Id)): ReadStateStore =
    if (snapshot._2.isEmpty && version._2.isEmpty) provider.replayReadStateFromSnapshot(snapshot._1, version._1)
    else lacking("replay by checkpoint id")

  def changes(
      provider: SupportsFineGrainedReplay,
      first: Long,
      last: (Long, Id),
      family: Option[String]
  ): NextIterator[(RecordType, UnsafeRow, UnsafeRow, Long)] =
    if (last._2.isEmpty) provider.getStateStoreChangeDataReader(first, last._1, family)
    else lacking("change feed by checkpoint id")

  private def lacking(call: String): Nothing = throw new UsageException(s"this Spark has no $call")
}

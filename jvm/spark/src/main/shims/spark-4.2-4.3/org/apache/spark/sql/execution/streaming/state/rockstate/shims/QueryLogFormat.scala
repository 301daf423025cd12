package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import java.io.InputStream

import org.apache.spark.sql.execution.streaming.checkpointing.{CommitLog, OffsetSeqLog}

/** What this Spark reads of a query's logs. */
private[rockstate] object QueryLogFormat {
  val NewestOffsets: Int = OffsetSeqLog.MAX_VERSION
  val NoOffset: String = OffsetSeqLog.SERIALIZED_VOID_OFFSET

  /** The checkpoint ids of a batch's entry in the commit log: by operator and partition those of its stores. */
  def checkpointIds(in: InputStream): Option[Map[Long, Array[Array[String]]]] =
    CommitLog.readCommitMetadata(in).stateUniqueIds
}

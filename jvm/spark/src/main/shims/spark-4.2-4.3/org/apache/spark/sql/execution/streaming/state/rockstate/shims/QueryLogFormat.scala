package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import java.io.InputStream

import org.apache.spark.sql.execution.streaming.checkpointing.{CommitLog, OffsetSeqLog}

/** What this Spark reads of a query's logs. */
private[rockstate] object QueryLogFormat {
  val NewestOffsets: Int = OffsetSeqLog.MAX_VERSION
  val NoOffset: String = OffsetSeqLog.SERIALIZED_VOID_OFFSET

  /** The format of a batch's entry in the commit log, and its checkpoint ids: by operator and partition those of its stores. */
  def commit(in: InputStream): (Int, Option[Map[Long, Array[Array[String]]]]) = {
    val metadata = CommitLog.readCommitMetadata(in)
    (metadata.version, metadata.stateUniqueIds)
  }
}

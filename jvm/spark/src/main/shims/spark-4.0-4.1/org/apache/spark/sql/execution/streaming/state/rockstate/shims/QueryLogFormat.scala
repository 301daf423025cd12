package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

/** What this Spark reads of a query's logs; it has no names for most of it. */
private[rockstate] object QueryLogFormat {
  val NewestOffsets = 1
  val NoOffset = "-"
  private val NewestCommits = 2

  /** The format of a batch's entry in the commit log, and its checkpoint ids: by operator and partition those of its stores. */
  def commit(in: InputStream): (Int, Option[Map[Long, Array[Array[String]]]]) = {
    val lines = new String(in.readAllBytes(), UTF_8).linesIterator
    val format = MetadataVersionUtil.validateVersion(lines.next().trim, NewestCommits)
    (format, CommitMetadata(lines.next()).stateUniqueIds)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration

/** The Hadoop configuration that an executor's tasks share. */
private[conformance] final class LabConfiguration {
  private val shared = LabFileSystem.configuration()
  private val before = entries

  def get(): Configuration = shared

  /** Throws if somebody has changed it: what is set there holds for others, too. */
  def requireUnchanged(): Unit = {
    val after = entries
    val changed = (before.keySet ++ after.keySet).filter(key => before.get(key) != after.get(key))
    if (changed.nonEmpty)
      throw new IllegalStateException(s"The Hadoop configuration was changed: ${changed.toSeq.sorted.mkString(", ")}")
  }

  /** Without what Spark itself puts there. */
  private def entries: Map[String, String] =
    shared.iterator.asScala.map(entry => entry.getKey -> entry.getValue).toMap - LabConfiguration.SparksRunId
}

private object LabConfiguration {
  val SparksRunId = "sql.streaming.runId"
}

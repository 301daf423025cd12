package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.mapreduce.{TaskAttemptContext, TaskAttemptID, TaskID, TaskType}
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl

import org.apache.spark.internal.io.{FileCommitProtocol, FileNameSpec, SparkHadoopWriterUtils}
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.{OutputWriter, OutputWriterFactory}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{RowTotals, StoreRow}
import org.apache.spark.util.SerializableConfiguration

import io.rockstate.errors.OnFailure

/** How the files of one table are written. */
private[exporting] final case class TableFormat(
    table: Table,
    hasDigest: Boolean,
    writers: OutputWriterFactory,
    conf: SerializableConfiguration
)

/** The files of one partition of a store: one for each table that has rows there. Runs in a task.
  *
  * @param formats of the store's tables
  * @param task    which of the job's it is
  */
private[exporting] final class TableFiles(
    formats: Vector[TableFormat],
    partition: Int,
    committer: FileCommitProtocol,
    task: TaskAttemptID
) {
  private val tables = formats.map(format => format.table.family.name -> new TableFile(format)).toMap
  private val attempt = contextOf(formats.head)

  /** The rows that each table has got, by column family. */
  def write(rows: Iterator[StoreRow]): (TaskCommitMessage, Map[String, RowTotals]) = {
    committer.setupTask(attempt)
    OnFailure(abort()) {
      // A table without rows has its columns, too.
      if (partition == 0) tables.values.foreach(_.open())
      rows.foreach(row => tables(row.family.name).write(row))
      tables.values.foreach(_.close())
      (committer.commitTask(attempt), tables.map { case (family, table) => family -> table.rows })
    }
  }

  private def abort(): Unit =
    try tables.values.foreach(table => Try(table.close()))
    finally committer.abortTask(attempt)

  private def contextOf(format: TableFormat): TaskAttemptContext = {
    // Other tasks have the same.
    val conf = new Configuration(format.conf.value)
    conf.set("mapreduce.job.id", task.getJobID.toString)
    conf.set("mapreduce.task.id", task.getTaskID.toString)
    conf.set("mapreduce.task.attempt.id", task.toString)
    conf.setBoolean("mapreduce.task.ismap", true)
    conf.setInt("mapreduce.task.partition", 0)
    new TaskAttemptContextImpl(conf, task)
  }

  private final class TableFile(format: TableFormat) {
    private var writer = Option.empty[OutputWriter]
    private val cells: StoreRow => InternalRow = format.table.columns.rows(partition)
    private val count = RowDigest.of(format.table.schema, format.hasDigest)
    private var written = RowTotals.none

    def rows: RowTotals = written

    def write(row: StoreRow): Unit = {
      open()
      val made = cells(row)
      written += count(made)
      writer.get.write(made)
    }

    def open(): Unit = if (writer.isEmpty) {
      val context = contextOf(format)
      val name = FileNameSpec("", format.writers.getFileExtension(context))
      val path = committer.newTaskTempFile(attempt, Some(format.table.path), name)
      writer = Some(format.writers.newInstance(path, format.table.schema, context))
    }

    /** Once only: a second time it is not open. */
    def close(): Unit = {
      val open = writer
      writer = None
      open.foreach(_.close())
    }
  }
}

private[exporting] object TableFiles {

  /** The name of an attempt, by which committers tell tasks apart. */
  def attempt(jobTracker: String, stage: Int, task: Int, attempt: Long): TaskAttemptID = {
    val job = SparkHadoopWriterUtils.createJobID(jobTracker, stage)
    new TaskAttemptID(new TaskID(job, TaskType.MAP, task), attempt.toInt & Int.MaxValue)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import java.util.{Date, UUID}

import scala.util.Using

import org.apache.hadoop.mapreduce.Job
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat

import org.apache.spark.TaskContext
import org.apache.spark.internal.io.{FileCommitProtocol, SparkHadoopWriterUtils}
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.SQLExecution
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  MoveJobs,
  NewCheckpoint,
  RowTotals,
  SourceCheckpoint,
  StateSide,
  StoreRows
}
import org.apache.spark.util.SerializableConfiguration

import io.rockstate.errors.OnFailure

/** The job that writes tables: each partition of each store is a task, which opens its store once. */
private[exporting] final class ExportJob(
    session: SparkSession,
    format: ExportFormat,
    source: SourceCheckpoint,
    target: NewCheckpoint
) {
  private val hadoopConf = session.sessionState.newHadoopConf()
  val jobs = new MoveJobs(session, s"rockstate: export of ${source.folder}", hadoopConf)

  /** Writes all tables.
    *
    * @param stores the tables of each, and the number of its partitions
    * @return the rows of each
    */
  def write(stores: Vector[(Vector[Table], Int)]): Map[Table, RowTotals] = {
    val id = UUID.randomUUID().toString
    val committer =
      FileCommitProtocol.instantiate(session.sessionState.conf.fileCommitProtocolClass, id, target.folder.toString)
    val job = newJob(id)
    val formats = stores.map(_._1.map(formatted(_, id)))
    committer.setupJob(job)
    // Committers keep what is not committed yet in one folder for all jobs: that of another attempt is not to be touched.
    OnFailure(if (target.isOurs) committer.abortJob(job)) {
      val parts = inTasks(stores.map(_._2).zip(formats), committer)
      target.requireOurs()
      committer.commitJob(job, parts.map(_.message))
      val rows = parts.flatMap(part => part.rows.map { case (family, n) => (part.store, family) -> n })
      val sums = rows.groupMapReduce(_._1)(_._2)(_ + _)
      formats.zipWithIndex.flatMap { case (tables, store) =>
        tables.map(each => each.table -> sums.getOrElse((store, each.table.family.name), RowTotals.none))
      }.toMap
    }
  }

  private def inTasks(stores: Vector[(Int, Vector[TableFormat])], committer: FileCommitProtocol): Vector[ExportedPart] =
    jobs.described("writes tables") { conf =>
      val from = jobs.reads(source)
      val tasks = stores.zipWithIndex.flatMap { case ((n, _), store) => (0 until n).map(ExportTask(store, _)) }
      // Each table's has a whole Hadoop configuration.
      val formats = session.sparkContext.broadcast(stores.map(_._2))
      jobs.progress.begin("write", tasks.size)
      val done = jobs.progress.tasks
      val tracker = SparkHadoopWriterUtils.createJobTrackerID(new Date())
      // Writers look at the session's confs.
      SQLExecution.withSQLConfPropagated(session) {
        session.sparkContext
          .parallelize(tasks, tasks.size.max(1))
          .map { task =>
            val part = task.run(formats.value(task.store), committer, tracker, from, conf)
            done.add(1)
            part
          }
          .collect()
          .toVector
      }
    }

  private def formatted(table: Table, id: String): TableFormat = {
    val job = newJob(id)
    val writers = format.writers(job, table.schema)
    val hasDigest = format.withoutDigest(table.schema).isEmpty
    TableFormat(table, hasDigest, writers, new SerializableConfiguration(job.getConfiguration))
  }

  private def newJob(id: String): Job = {
    val job = Job.getInstance(hadoopConf)
    job.setOutputKeyClass(classOf[Void])
    FileOutputFormat.setOutputPath(job, target.folder)
    job.getConfiguration.set("spark.sql.sources.writeJobUUID", id)
    // The manifest says that all is there.
    job.getConfiguration.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false)
    job
  }
}

/** Writes the tables of one partition of a store.
  *
  * @param store which of the job's stores it is
  */
private final case class ExportTask(store: Int, partition: Int) {

  /** @param formats of the store's tables
    * @param tracker the name by which committers know the job
    */
  def run(
      formats: Vector[TableFormat],
      committer: FileCommitProtocol,
      tracker: String,
      from: StateSide,
      conf: MoveJobs.HadoopConf
  ): ExportedPart = {
    val context = TaskContext.get()
    val attempt = TableFiles.attempt(tracker, context.stageId(), context.partitionId(), context.taskAttemptId())
    val files = new TableFiles(formats, partition, committer, attempt)
    Using.resource(new StoreRows(formats.head.table.store, partition, from, conf.value.value)) { rows =>
      val (message, written) = files.write(rows.iterator)
      ExportedPart(store, message, written)
    }
  }
}

/** @param rows by column family */
private final case class ExportedPart(store: Int, message: TaskCommitMessage, rows: Map[String, RowTotals])

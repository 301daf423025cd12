package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import scala.util.Try

import org.apache.hadoop.fs.Path
import org.json4s.JString
import org.json4s.jackson.JsonMethods

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.DataSource
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  NewCheckpoint,
  Pace,
  PhaseReport,
  SourceCheckpoint,
  Watched
}

import io.rockstate.errors.CorruptFile

/** Exports the state of a query's checkpoint as after one of its batches: a table for each column family of each store. Only reads the
  * checkpoint; the query may be running.
  */
final class Export(session: SparkSession, request: ExportRequest) extends Watched {
  import request._

  private val hadoopConf = session.sessionState.newHadoopConf()
  private val source = new SourceCheckpoint(from, batch, hadoopConf)
  private val stores = source.stores.map { case (plan, partitions) => Table.of(plan) -> partitions }
  private val target = new NewCheckpoint(to, hadoopConf, last = "manifest.json")
  private val job = new ExportJob(session, format, source, target.folder)

  override def progress: Option[PhaseReport] = job.jobs.progress.now
  override def cancel(): Unit = job.jobs.cancel()

  /** What would be exported: nothing is written. */
  def plan(): ExportReport = {
    job.requireFormat(stores.flatMap(_._1))
    target.requireFree(source.folder)
    report(_ => WrittenTable(0, 0, 0)).copy(outlook = Some(job.jobs.outlook(source, Pace.OfExports)))
  }

  def run(): ExportReport = {
    job.requireFormat(stores.flatMap(_._1))
    target.begin(source.folder)
    val written = job.write(stores)
    val found = job.jobs.described("counts again") { _ =>
      job.jobs.progress.begin("count again", written.size)
      report(table => proven(table, written(table)))
    }
    target.finish(JsonMethods.pretty(found.json) + "\n")
    found
  }

  /** What is in the table's files, which must have all rows. */
  private def proven(table: Table, rows: Long): WrittenTable = {
    val folder = new Path(target.folder, table.path)
    val read = session.read
      .schema(table.schema)
      .format(format)
      .option(DataSource.GLOB_PATHS_KEY, "false")
      .load(folder.toString)
      .count()
    if (read != rows)
      throw new CorruptFile(
        s"The files have $read rows instead of the $rows that were written",
        "The export is of no use. Report this with the format and the file system.",
        folder.toString
      )
    job.jobs.progress.tasks.add(1)
    val files = folder.getFileSystem(hadoopConf).listStatus(folder)
    WrittenTable(rows, files.length.toLong, files.map(_.getLen).sum)
  }

  private def report(written: Table => WrittenTable): ExportReport = ExportReport(
    source.folder.toString,
    source.batch,
    queryId,
    SPARK_VERSION,
    source.provider,
    format,
    stores.flatMap { case (tables, partitions) =>
      tables.map(table => TableReport(table, partitions, written(table)))
    },
    None
  )

  private def queryId: Option[String] =
    Try(JsonMethods.parse(source.text("metadata")) \ "id").toOption.collect { case JString(id) => id }
}

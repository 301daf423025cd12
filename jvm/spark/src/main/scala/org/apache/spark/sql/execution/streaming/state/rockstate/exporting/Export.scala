package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import scala.util.Try

import org.apache.hadoop.fs.Path
import org.json4s.JString
import org.json4s.jackson.JsonMethods

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  NewCheckpoint,
  Pace,
  PhaseReport,
  RowTotals,
  SourceCheckpoint,
  Watched
}
import org.apache.spark.sql.types.StructType

import io.rockstate.errors.CorruptFile

/** Exports the state of a query's checkpoint as after one of its batches: a table for each column family of each store. Only reads the
  * checkpoint; the query may be running.
  */
final class Export(session: SparkSession, request: ExportRequest) extends Watched {
  import request._

  private val hadoopConf = session.sessionState.newHadoopConf()
  private val source = new SourceCheckpoint(from, batch, hadoopConf)
  private val stores = source.stores.map { case (plan, partitions) => Table.of(plan) -> partitions }
  private val target = new NewCheckpoint(to, hadoopConf, last = NewCheckpoint.Manifest)
  private val files = new ExportFormat(session, format)
  private val job = new ExportJob(session, files, source, target)

  override def progress: Option[PhaseReport] = job.jobs.progress.now
  override def cancel(): Unit = job.jobs.cancel()

  /** What would be exported: nothing is written. */
  def plan(): ExportReport = {
    files.require(stores.flatMap(_._1))
    target.requireFree(source.folder)
    report(_ => WrittenTable(RowTotals.none, None, 0, 0)).copy(outlook = Some(job.jobs.outlook(source, Pace.OfExports)))
  }

  def run(): ExportReport = {
    files.require(stores.flatMap(_._1))
    target.begin(source.folder)
    target.whileOurs {
      val written = job.write(stores)
      val found = job.jobs.described("counts again") { _ =>
        job.jobs.progress.begin("count again", written.size)
        report(table => proven(table, written(table)))
      }
      target.finish(JsonMethods.pretty(found.json) + "\n")
      found
    }
  }

  /** What is in the table's files, which must have all rows. */
  private def proven(table: Table, rows: RowTotals): WrittenTable = {
    val folder = new Path(target.folder, table.path)
    val without = files.withoutDigest(table.schema)
    val read = rowsIn(folder, table.schema, without.isEmpty)
    if (read != rows) throw differ(table, folder, rows, read)
    job.jobs.progress.tasks.add(1)
    val made = folder.getFileSystem(hadoopConf).listStatus(folder)
    WrittenTable(rows, without, made.length.toLong, made.map(_.getLen).sum)
  }

  private def rowsIn(folder: Path, schema: StructType, hasDigest: Boolean): RowTotals = {
    val rows = files.read(folder, schema)
    if (!hasDigest) RowTotals(rows.count(), 0, 0)
    else
      rows.queryExecution.toRdd
        .mapPartitions { rows =>
          val count = RowDigest.of(schema, hasDigest)
          Iterator(rows.foldLeft(RowTotals.none)((totals, row) => totals + count(row)))
        }
        .fold(RowTotals.none)(_ + _)
  }

  private def differ(table: Table, folder: Path, written: RowTotals, read: RowTotals): CorruptFile = {
    val what =
      if (written.rows != read.rows) s"${read.rows} rows instead of the ${written.rows} that were written"
      else s"other rows than were written: digest ${read.digest} instead of ${written.digest}"
    val store = table.store
    new CorruptFile(
      s"The files of operator ${store.operator} (${store.operatorName}), store ${store.store}, column family " +
        s"${table.family.name} have $what",
      s"The export is of no use. Take another format than $format, see that no conf of the session makes it keep less, " +
        "such as spark.sql.parquet.outputTimestampType, or report this with the format and the file system.",
      folder.toString
    )
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

package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import java.nio.file.{Files, Path, Paths}

import org.apache.hadoop.mapreduce.{Job, TaskAttemptContext}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{SparkSession => AnySparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{OutputWriter, OutputWriterFactory}
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.Utils

import io.rockstate.errors.CorruptFile

/** Of each file it loses the first row. */
class LosingFormat extends JsonFileFormat {
  override def prepareWrite(
      session: AnySparkSession,
      job: Job,
      options: Map[String, String],
      schema: StructType
  ): OutputWriterFactory = new LosingWriters(super.prepareWrite(session, job, options, schema))
}

private class LosingWriters(whole: OutputWriterFactory) extends OutputWriterFactory {
  override def getFileExtension(context: TaskAttemptContext): String = whole.getFileExtension(context)

  override def newInstance(to: String, schema: StructType, context: TaskAttemptContext): OutputWriter =
    new OutputWriter {
      private val writer = whole.newInstance(to, schema, context)
      private var isFirst = true

      override def write(row: InternalRow): Unit = if (isFirst) isFirst = false else writer.write(row)
      override def close(): Unit = writer.close()
      override def path(): String = writer.path()
    }
}

class ExportSuite extends AnyFunSuite with BeforeAndAfterAll {
  private val checkpoint = Paths.get("../../tests/golden/checkpoints/4.0/aggregation-f1").toAbsolutePath.normalize
  private lazy val session =
    SparkSession.builder().master("local[2]").config("spark.ui.enabled", value = false).getOrCreate()

  override def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  private def written(to: Path, format: String): ExportReport =
    new Export(session, ExportRequest(checkpoint.toString, to.toString, format, None, isDryRun = false)).run()

  test("rows that are not in the files are an error, and there is no manifest") {
    val out = Utils.createTempDir().toPath
    val failure = intercept[CorruptFile](written(out, classOf[LosingFormat].getName))
    assert(failure.problem == "The files have 2 rows instead of the 4 that were written")
    assert(Files.exists(out.resolve("rockstate-unfinished")) && !Files.exists(out.resolve("manifest.json")))
  }

  test("a folder whose name looks like a pattern is read back as it is") {
    val out = Utils.createTempDir().toPath.resolve("a[b]{c} *%41")
    assert(written(out, "json").tables.map(_.written.rows) == Vector(4))
  }

  test("with all of them there is") {
    val out = Utils.createTempDir().toPath
    assert(written(out, "json").tables.map(_.written.rows) == Vector(4))
    assert(Files.exists(out.resolve("manifest.json")) && !Files.exists(out.resolve("rockstate-unfinished")))
  }
}

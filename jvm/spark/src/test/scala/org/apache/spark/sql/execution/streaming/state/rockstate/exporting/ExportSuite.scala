package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import java.io.FileNotFoundException
import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.atomic.AtomicReference

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.mapreduce.{Job, TaskAttemptContext}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{SparkSession => AnySparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.{FileFormat, OutputWriter, OutputWriterFactory}
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.NewCheckpoint
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.Utils

import io.rockstate.errors.{Conflict, CorruptFile}

/** Does something else with each row than to write it. */
trait Faulty extends FileFormat with Serializable {

  /** What is written instead of a file's row. */
  def instead(number: Int, row: InternalRow): Option[InternalRow]

  abstract override def prepareWrite(
      session: AnySparkSession,
      job: Job,
      options: Map[String, String],
      schema: StructType
  ): OutputWriterFactory = new FaultyWriters(super.prepareWrite(session, job, options, schema), instead)
}

private class FaultyWriters(whole: OutputWriterFactory, instead: (Int, InternalRow) => Option[InternalRow])
    extends OutputWriterFactory {
  override def getFileExtension(context: TaskAttemptContext): String = whole.getFileExtension(context)

  override def newInstance(to: String, schema: StructType, context: TaskAttemptContext): OutputWriter =
    new OutputWriter {
      private val writer = whole.newInstance(to, schema, context)
      private var number = 0

      override def write(row: InternalRow): Unit = {
        instead(number, row).foreach(writer.write)
        number += 1
      }
      override def close(): Unit = writer.close()
      override def path(): String = writer.path()
    }
}

/** Of each file it loses the first row. */
class LosingFormat extends JsonFileFormat with Faulty {
  override def instead(number: Int, row: InternalRow): Option[InternalRow] = Option.when(number > 0)(row)
}

/** Of each file's second row it changes the value. */
trait Changing extends Faulty {
  override def instead(number: Int, row: InternalRow): Option[InternalRow] = Some {
    if (number != 1) row
    else {
      val value = row.getStruct(1, 1).copy()
      value.setLong(0, value.getLong(0) + 1)
      InternalRow(row.getStruct(0, 1), value, row.getInt(2))
    }
  }
}

class ChangingJson extends JsonFileFormat with Changing
class ChangingOrc extends OrcFileFormat with Changing
class ChangingParquet extends ParquetFileFormat with Changing

/** Before it writes its first row somebody does something. */
class OvertakenFormat extends JsonFileFormat with Faulty {
  override def instead(number: Int, row: InternalRow): Option[InternalRow] = {
    OvertakenFormat.once()
    Some(row)
  }
}

object OvertakenFormat {
  private val planned = new AtomicReference[Option[() => Unit]](None)
  def plan(what: => Unit): Unit = planned.set(Some(() => what))
  def once(): Unit = planned.getAndSet(None).foreach(_())
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

  Seq(false, true).foreach { isTaskToFail =>
    test(s"one that another overtakes says so, and leaves the other's files alone; its task fails: $isTaskToFail") {
      val out = Utils.createTempDir().toPath
      OvertakenFormat.plan {
        val conf = new Configuration
        val another = new NewCheckpoint(out.toString, conf, last = "manifest.json")
        another.begin(new CheckpointFiles(checkpoint.toString, conf).folder)
        another.write("_temporary/0/the-other's", "")
        if (isTaskToFail) throw new FileNotFoundException("the other has deleted it")
      }
      val failure = intercept[Conflict](written(out, classOf[OvertakenFormat].getName))
      assert(failure.problem.startsWith("Another run has begun"))
      assert(Files.exists(out.resolve("_temporary/0/the-other's")) && !Files.exists(out.resolve("manifest.json")))
    }
  }

  test("rows that are not in the files are an error, and there is no manifest") {
    val out = Utils.createTempDir().toPath
    val failure = intercept[CorruptFile](written(out, classOf[LosingFormat].getName))
    assert(failure.problem.endsWith("have 2 rows instead of the 4 that were written"))
    assert(Files.exists(out.resolve("rockstate-unfinished")) && !Files.exists(out.resolve("manifest.json")))
  }

  Seq(classOf[ChangingJson], classOf[ChangingOrc], classOf[ChangingParquet]).foreach { format =>
    test(s"other rows in the files are an error, with ${format.getSimpleName}") {
      val out = Utils.createTempDir().toPath
      val failure = intercept[CorruptFile](written(out, format.getName))
      val named = "operator 0 (stateStoreSave), store default, column family default have other rows"
      assert(failure.problem.contains(named) && failure.file.exists(_.endsWith("0-stateStoreSave/default")))
      assert(failure.remedy.contains("another format"))
      assert(Files.exists(out.resolve("rockstate-unfinished")) && !Files.exists(out.resolve("manifest.json")))
    }
  }

  test("a folder whose name looks like a pattern is read back as it is") {
    val out = Utils.createTempDir().toPath.resolve("a[b]{c} *%41")
    assert(written(out, "json").tables.map(_.written.rows.rows) == Vector(4))
  }

  test("with all of them there is, and one digest in every format") {
    val digests = Seq("json", "orc", "parquet").map { format =>
      val out = Utils.createTempDir().toPath
      val tables = written(out, format).tables
      assert(tables.map(_.written.rows.rows) == Vector(4))
      assert(Files.exists(out.resolve("manifest.json")) && !Files.exists(out.resolve("rockstate-unfinished")))
      tables.flatMap(_.written.digest)
    }
    assert(digests.head.size == 1 && digests.distinct.size == 1)
  }
}

package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import scala.util.{Failure, Success, Try}
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.hadoop.mapreduce.Job

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.datasources.{DataSource, DataSourceUtils, FileFormat, OutputWriterFactory}
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StringType, StructType, UserDefinedType}

import io.rockstate.errors.Misuse

/** A format of files, as Spark names it. */
private[exporting] final class ExportFormat(session: SparkSession, val name: String) {
  import ExportFormat._

  private lazy val files: FileFormat =
    Try(DataSource(session, className = name).providingClass.getConstructor().newInstance()) match {
      case Success(files: FileFormat) => files
      case Success(_) => throw unknown("It is not a format of files")
      case Failure(e) => throw unknown(firstLine(e))
    }

  private lazy val options = files match {
    case _: JsonFileFormat => OfJson
    case _ => Map.empty[String, String]
  }

  /** Throws if tables cannot be written in this format. */
  def require(tables: Vector[Table]): Unit = tables.foreach { table =>
    try {
      DataSourceUtils.verifySchema(files, table.schema)
      DataSourceUtils.checkFieldNames(files, table.schema)
    } catch {
      case NonFatal(e) if !e.isInstanceOf[Misuse] =>
        throw new Misuse(s"Table ${table.path} cannot be written as $name: ${firstLine(e)}", AnotherFormat)
    }
  }

  def writers(job: Job, schema: StructType): OutputWriterFactory = files.prepareWrite(session, job, options, schema)

  def read(folder: Path, schema: StructType): DataFrame = session.read
    .schema(schema)
    .format(name)
    .options(options)
    .option(DataSource.GLOB_PATHS_KEY, "false")
    .load(folder.toString)

  /** Why rows of this schema have no digest that is the same in files; none if they have one. */
  def withoutDigest(schema: StructType): Option[String] = files match {
    case _: JsonFileFormat if keys(schema).exists(!_.isInstanceOf[StringType]) =>
      Some(s"$name has keys of maps as text only")
    case _: JsonFileFormat | _: ParquetFileFormat | _: OrcFileFormat =>
      RowDigest.unknown(schema).headOption.map(one => s"no bytes of ${one.sql} are the same in all files")
    case _ => Some(s"what $name keeps of values is not known")
  }

  private def unknown(why: String): Misuse = new Misuse(s"Spark cannot write files as $name: $why", AnotherFormat)
}

private object ExportFormat {
  private val AnotherFormat = "Give another format: parquet, orc or json."

  /** Spark's own patterns end at milliseconds, and at minutes of a zone's offset. */
  private val OfJson = Map(
    "timestampFormat" -> "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS][XXX]",
    "timestampNTZFormat" -> "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]",
    "timeZone" -> "UTC"
  )

  /** The types of maps' keys. */
  private def keys(of: DataType): Vector[DataType] = of match {
    case own: UserDefinedType[_] => keys(own.sqlType)
    case struct: StructType => struct.fields.toVector.flatMap(field => keys(field.dataType))
    case array: ArrayType => keys(array.elementType)
    case map: MapType => map.keyType +: (keys(map.keyType) ++ keys(map.valueType))
    case _ => Vector.empty
  }

  private def firstLine(e: Throwable): String =
    String.valueOf(e.getMessage).linesIterator.nextOption().getOrElse("").stripSuffix(".")
}

package org.apache.spark.sql.execution.streaming.state.rockstate.lookup

import java.io.CharArrayWriter

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BoundReference, ToPrettyString}
import org.apache.spark.sql.catalyst.json.{JSONOptions, JacksonGenerator}
import org.apache.spark.sql.types.{IntegerType, StructType}
import org.apache.spark.sql.util.SchemaUtils
import org.apache.spark.util.Utils

/** Rows of Spark's state data source as `DataFrame.show` and `to_json` write them.
  *
  * @param jsonFormats options of the JSON writer, for a line of JSON a row; none for a table
  */
private[lookup] final class RowText(
    key: StructType,
    value: StructType,
    timeZone: String,
    jsonFormats: Option[Map[String, String]]
) {
  private val schema = new StructType().add("key", key).add("value", value).add("partition_id", IntegerType)

  def of(rows: Iterable[InternalRow]): String = jsonFormats.fold(table(rows))(lines(rows, _))

  private def lines(rows: Iterable[InternalRow], formats: Map[String, String]): String = {
    val written = new CharArrayWriter
    val generator = new JacksonGenerator(schema, written, new JSONOptions(formats, timeZone))
    rows.foreach { row =>
      generator.write(row)
      generator.flush()
      written.write("\n")
    }
    written.toString
  }

  private def table(rows: Iterable[InternalRow]): String = {
    val columns = schema.zipWithIndex.map { case (field, i) =>
      ToPrettyString(BoundReference(i, field.dataType, field.nullable), Some(timeZone))
    }
    val cells = schema.fieldNames.toSeq +: rows.toSeq.map(row => columns.map(_.eval(row).toString))
    val escaped = cells.map(_.map(SchemaUtils.escapeMetaCharacters))
    val widths = escaped.transpose.map(_.map(Utils.stringHalfWidth).max.max(RowText.LeastWidth))
    val rule = widths.map("-" * _).mkString("+", "+", "+\n")
    val written = escaped.map(
      _.zip(widths)
        .map { case (cell, width) =>
          cell + " " * (width - Utils.stringHalfWidth(cell))
        }
        .mkString("|", "|", "|\n")
    )
    s"$rule${written.head}$rule${written.tail.mkString}$rule\n"
  }
}

private object RowText {
  val LeastWidth = 3
}

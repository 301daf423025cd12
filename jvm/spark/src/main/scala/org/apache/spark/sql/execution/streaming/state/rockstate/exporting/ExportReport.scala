package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import org.json4s.{JArray, JBool, JDouble, JInt, JNull, JObject, JString, JValue}
import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{Outlook, RowTotals}

/** What is asked for.
  *
  * @param from     a checkpoint
  * @param to       an empty folder, or none yet
  * @param format   of the files, as Spark names it
  * @param batch    the batch after which the state is exported; the last committed one if none is given
  * @param isDryRun whether only to look
  */
final case class ExportRequest(from: String, to: String, format: String, batch: Option[Long], isDryRun: Boolean)

/** What was exported, or would be. Its JSON is the export's manifest.
  *
  * @param queryId none if the checkpoint does not have it
  * @param outlook of a dry run only
  */
final case class ExportReport(
    checkpoint: String,
    batch: Long,
    queryId: Option[String],
    sparkVersion: String,
    provider: String,
    format: String,
    tables: Vector[TableReport],
    outlook: Option[Outlook]
) {
  def json: JObject = JObject(fields ++ outlook.toList.flatMap { ahead =>
    List("read_bytes" -> JInt(ahead.bytes), "seconds" -> JDouble(ahead.seconds))
  })

  private def fields: List[(String, JValue)] = List(
    "checkpoint" -> JString(checkpoint),
    "batch" -> JInt(batch),
    "query_id" -> queryId.fold[JValue](JNull)(JString(_)),
    "spark_version" -> JString(sparkVersion),
    "provider" -> JString(provider),
    "format" -> JString(format),
    "tables" -> JArray(tables.map(_.json).toList)
  )
}

/** @param partitions of the store
  * @param written    nothing after a dry run
  */
final case class TableReport private[exporting] (table: Table, partitions: Int, written: WrittenTable) {
  private[exporting] def json: JObject = JObject(
    "operator_id" -> JInt(table.store.operator),
    "operator_name" -> JString(table.store.operatorName),
    "store" -> JString(table.store.store),
    "family" -> JString(table.family.name),
    "is_internal" -> JBool(table.family.isInternal),
    "path" -> JString(table.path),
    "schema" -> JsonMethods.parse(table.schema.json),
    "left_out" -> JArray(table.columns.leftOut.map(JString(_)).toList),
    "partitions" -> JInt(partitions),
    "rows" -> JInt(written.rows.rows),
    "digest" -> written.digest.fold[JValue](JNull)(JString(_)),
    "without_digest" -> written.without.fold[JValue](JNull)(JString(_)),
    "files" -> JInt(written.files),
    "bytes" -> JInt(written.bytes)
  )
}

/** What the files of a table hold.
  *
  * @param without why the rows have no digest, if they have none
  */
private[exporting] final case class WrittenTable(rows: RowTotals, without: Option[String], files: Long, bytes: Long) {
  def digest: Option[String] = Option.when(files > 0 && without.isEmpty)(rows.digest)
}
